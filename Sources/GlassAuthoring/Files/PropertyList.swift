import Foundation
import GlassBase

/// Reads the property lists of an untrusted app, within limits.
///
/// Foundation's reader expands everything: 800 bytes of a binary list with repeated references become 3 GB, and a
/// deeply nested text crashes the process. So binary lists are read here, and a text is counted before Foundation reads
/// it.
package enum PropertyList {
    /// The reason why a property list is rejected.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// It is not a property list, or its top level is not a dictionary.
        case malformed
        /// It exceeds a limit.
        case exceeded(String)
        /// Its format is not supported.
        case unsupported(String)

        /// The problem, to follow the name of the file.
        package var description: String {
            switch self {
            case .malformed: "is not a property list with keys and values"
            case .exceeded(let what):
                "\(what), far more than an app needs: use the Info.plist of the app as Xcode built it"
            case .unsupported(let what): "\(what): convert it with plutil -convert xml1"
            }
        }
    }

    /// The maximum size in bytes of a file, and of the values that it expands to.
    package static let maximumBytes = 4 << 20
    /// The maximum number of values, counted at each reference. A large app has a thousand.
    package static let maximumValues = 10_000
    /// The maximum nesting of values in a binary list.
    package static let deepest = 64
    /// The maximum number of lists and dictionaries in a text. Foundation recurses for each nested one. The limit
    /// protects the stack, regardless of how Foundation decides where one ends.
    static let maximumTextLists = 2_000

    /// Reads the dictionary of a property list.
    package static func values(of bytes: [UInt8]) throws(Failure) -> [String: Any] {
        guard bytes.count <= maximumBytes else { throw .exceeded("has more than \(maximumBytes.formattedBytes)") }
        let list: Any
        if bytes.starts(with: "bplist".utf8) {
            list = try BinaryPropertyList.value(of: bytes)
        } else {
            try checkText(bytes)
            do {
                list = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
            } catch {
                // Foundation gives no reason.
                throw .malformed
            }
        }
        guard let values = list as? [String: Any] else { throw .malformed }
        return values
    }

    /// Checks an upper bound for the number of values in a text, in XML or in the older format with braces.
    ///
    /// Markers are counted everywhere, including in comments and values. So the count is never lower than Foundation's,
    /// which detects the format by its own rules.
    private static func checkText(_ bytes: [UInt8]) throws(Failure) {
        // In UTF-16 and UTF-32, the markers consist of other bytes.
        guard !bytes.contains(0) else { throw .unsupported("is not in UTF-8") }
        guard declaresUTF8(bytes) else { throw .unsupported("is not in UTF-8") }
        var (lists, values) = (0, 0)
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "("): lists += 1
            case UInt8(ascii: ","), UInt8(ascii: ";"): values += 1
            case UInt8(ascii: "<"):
                values += 1
                let rest = bytes[(index + 1)...]
                if rest.starts(with: "!ENTITY".utf8) { throw .unsupported("declares entities, which is not supported") }
                if ["array", "dict", "plist"].contains(where: { rest.starts(with: $0.utf8) }) { lists += 1 }
            default: break
            }
            guard lists <= maximumTextLists else {
                throw .exceeded("has more than \(maximumTextLists.grouped) lists and dictionaries")
            }
            // An element has a marker at its end, too.
            guard values <= 2 * maximumValues else { throw .exceeded("has more than \(maximumValues.grouped) values") }
        }
    }

    /// Whether the declaration of an XML text, `<?xml … ?>`, names no encoding other than UTF-8.
    private static func declaresUTF8(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("?>".utf8)) else { return true }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        guard let name = text.firstRange(of: "encoding") else { return true }
        let value = text[name.upperBound...].drop { " \t\r\n='\"".contains($0) }.prefix { !"'\"? ".contains($0) }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(value)
    }
}

/// A binary property list in the format of CoreFoundation's CFBinaryPList.c: a header, objects, a table of their
/// offsets, and a 32-byte trailer. Objects refer to each other by number.
private struct BinaryPropertyList {
    private let bytes: [UInt8]
    /// The size in bytes of a table entry, and of a reference.
    private let (offsetSize, referenceSize): (Int, Int)
    private let count: Int
    private let table: Int
    /// The values and bytes so far. A shared object counts each time, so a list that contains itself reaches the limit.
    private var (values, size) = (0, 0)

    /// The value at the top level.
    static func value(of bytes: [UInt8]) throws(PropertyList.Failure) -> Any {
        guard bytes.starts(with: "bplist00".utf8) else {
            throw .unsupported("is a binary list of a version other than 00")
        }
        guard bytes.count >= 40 else { throw .malformed }
        let trailer = bytes.suffix(32)
        let start = trailer.startIndex
        var list = BinaryPropertyList(
            bytes: bytes, offsetSize: Int(bytes[start + 6]), referenceSize: Int(bytes[start + 7]),
            count: try number(in: bytes, at: start + 8, size: 8), table: try number(in: bytes, at: start + 24, size: 8))
        let top = try number(in: bytes, at: start + 16, size: 8)
        // Each offset takes at least one byte, so none of the products below overflows.
        guard (1...8).contains(list.offsetSize), (1...8).contains(list.referenceSize), list.count <= bytes.count,
            list.table >= 8, list.table <= start, list.count * list.offsetSize <= start - list.table
        else { throw .malformed }
        return try list.value(top, depth: 0)
    }

    private init(bytes: [UInt8], offsetSize: Int, referenceSize: Int, count: Int, table: Int) {
        self.bytes = bytes
        (self.offsetSize, self.referenceSize) = (offsetSize, referenceSize)
        self.count = count
        self.table = table
    }

    /// The value of an object.
    private mutating func value(_ object: Int, depth: Int) throws(PropertyList.Failure) -> Any {
        guard depth <= PropertyList.deepest else {
            throw .exceeded("is nested deeper than \(PropertyList.deepest) levels")
        }
        values += 1
        guard values <= PropertyList.maximumValues else {
            throw .exceeded("expands to more than \(PropertyList.maximumValues.grouped) values")
        }
        guard object < count else { throw .malformed }
        let place = try Self.number(in: bytes, at: table + object * offsetSize, size: offsetSize)
        guard place >= 8, place < table else { throw .malformed }
        let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
        switch (kind, low) {
        case (0x0, 0x8): return false
        case (0x0, 0x9): return true
        case (0x1, 0...3):
            // Integers of up to four bytes are unsigned; those of eight are signed.
            return try Int(truncatingIfNeeded: bits(at: place + 1, size: 1 << low))
        case (0x1, 4): return try bits(at: place + 9, size: 8)
        case (0x2, 2): return try Double(Float(bitPattern: UInt32(bits(at: place + 1, size: 4))))
        case (0x2, 3): return try Double(bitPattern: bits(at: place + 1, size: 8))
        case (0x3, 3):
            return try Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits(at: place + 1, size: 8)))
        default: break
        }
        let (length, start) = try length(low, at: place + 1)
        switch kind {
        case 0x4: return Data(try content(at: start, count: length))
        case 0x5: return String(decoding: try content(at: start, count: length), as: UTF8.self)
        case 0x6:
            let content = Array(try content(at: start, count: try Self.product(length, 2)))
            let units = stride(from: 0, to: content.count, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            return String(decoding: units, as: UTF16.self)
        case 0xA:
            var elements: [Any] = []
            for reference in try references(at: start, count: length) {
                elements.append(try value(reference, depth: depth + 1))
            }
            return elements
        case 0xD:
            let references = try references(at: start, count: try Self.product(length, 2))
            var entries: [String: Any] = [:]
            for (key, entry) in zip(references.prefix(length), references.dropFirst(length)) {
                guard let key = try value(key, depth: depth + 1) as? String else { throw .malformed }
                entries[key] = try value(entry, depth: depth + 1)
            }
            return entries
        // Sets, and the object references of archives. An app's list has neither.
        default: throw .unsupported("contains values that occur only in object archives")
        }
    }

    /// The number of bytes, units or references of an object, and the offset of the first.
    private func length(_ low: Int, at place: Int) throws(PropertyList.Failure) -> (Int, Int) {
        guard low == 0xF else { return (low, place) }
        guard place < table, bytes[place] >> 4 == 0x1, bytes[place] & 0xF <= 3 else { throw .malformed }
        let size = 1 << Int(bytes[place] & 0xF)
        return (try Self.number(in: bytes, at: place + 1, size: size), place + 1 + size)
    }

    /// The bytes of an object, counted against the limit.
    private mutating func content(at start: Int, count: Int) throws(PropertyList.Failure) -> ArraySlice<UInt8> {
        guard start <= table, count <= table - start else { throw .malformed }
        size += count
        guard size <= PropertyList.maximumBytes else {
            throw .exceeded("expands to more than \(PropertyList.maximumBytes.formattedBytes)")
        }
        return bytes[start..<(start + count)]
    }

    private func references(at start: Int, count: Int) throws(PropertyList.Failure) -> [Int] {
        guard start <= table, try Self.product(count, referenceSize) <= table - start else { throw .malformed }
        // Checked before a list of that size is allocated.
        guard count <= 2 * PropertyList.maximumValues else {
            throw .exceeded("expands to more than \(PropertyList.maximumValues.grouped) values")
        }
        var references: [Int] = []
        for index in 0..<count {
            references.append(try Self.number(in: bytes, at: start + index * referenceSize, size: referenceSize))
        }
        return references
    }

    private func bits(at place: Int, size: Int) throws(PropertyList.Failure) -> UInt64 {
        guard place <= bytes.count, size <= bytes.count - place else { throw .malformed }
        return bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func number(in bytes: [UInt8], at place: Int, size: Int) throws(PropertyList.Failure) -> Int {
        guard place >= 0, place <= bytes.count, size <= bytes.count - place else { throw .malformed }
        let bits = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let number = Int(exactly: bits) else { throw .malformed }
        return number
    }

    private static func product(_ count: Int, _ size: Int) throws(PropertyList.Failure) -> Int {
        let (product, overflow) = count.multipliedReportingOverflow(by: size)
        guard !overflow else { throw .malformed }
        return product
    }
}
