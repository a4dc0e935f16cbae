import Foundation
import GlassBase

/// Reads the property lists of an app that somebody else built, within limits.
///
/// Foundation's own reader takes what the bytes stand for: 800 bytes of a binary list, whose lists refer to each other, become
/// 3 GB, and a text that nests deeply ends the process. So a binary list is read here, and a text is counted before Foundation
/// reads it.
package enum PropertyList {
    /// Why a property list is not read.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// It is no property list, or its top is no dictionary.
        case malformed
        /// It is more than is read.
        case exceeded(String)
        /// It is in a form that is not read.
        case unsupported(String)

        /// What is wrong, as what follows the name of the file.
        package var description: String {
            switch self {
            case .malformed: "is no property list of keys and values"
            case .exceeded(let what):
                "\(what), far more than the list of an app: name the Info.plist of the app as Xcode built it"
            case .unsupported(let what): "\(what): convert it with plutil -convert xml1"
            }
        }
    }

    /// The most bytes of a file, and of the values that it stands for.
    package static let maximumBytes = 4 << 20
    /// The most values that a list may stand for, each as often as it is referred to. A large app has a thousand.
    package static let maximumValues = 10_000
    /// How deep values may be nested in a binary list.
    package static let deepest = 64
    /// The most lists and dictionaries of a text. Foundation calls itself for each that is nested, so this also keeps it from
    /// using up the stack, whatever it takes for the end of one.
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
                // Foundation says no more than that it cannot read it.
                throw .malformed
            }
        }
        guard let values = list as? [String: Any] else { throw .malformed }
        return values
    }

    /// Counts what a text can stand for at most, in XML or in the older form with braces.
    ///
    /// It counts marks wherever they stand, also in comments and in values: then it never counts fewer than Foundation, which
    /// chooses the form by rules of its own.
    private static func checkText(_ bytes: [UInt8]) throws(Failure) {
        // UTF-16 and UTF-32, in which the marks look otherwise.
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
                if rest.starts(with: "!ENTITY".utf8) { throw .unsupported("declares entities, which are not read") }
                if ["array", "dict", "plist"].contains(where: { rest.starts(with: $0.utf8) }) { lists += 1 }
            default: break
            }
            guard lists <= maximumTextLists else {
                throw .exceeded("has more than \(maximumTextLists.grouped) lists and dictionaries")
            }
            // An element has a mark at its end, too.
            guard values <= 2 * maximumValues else { throw .exceeded("has more than \(maximumValues.grouped) values") }
        }
    }

    /// Whether the declaration of an XML text, `<?xml … ?>`, names no other encoding.
    private static func declaresUTF8(_ bytes: [UInt8]) -> Bool {
        guard let end = bytes.firstRange(of: Array("?>".utf8)) else { return true }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased()
        guard let name = text.firstRange(of: "encoding") else { return true }
        let value = text[name.upperBound...].drop { " \t\r\n='\"".contains($0) }.prefix { !"'\"? ".contains($0) }
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(value)
    }
}

/// A binary property list, as CFBinaryPList.c of CoreFoundation writes it: a header, objects, the table of their offsets, and
/// a trailer of 32 bytes. Objects refer to others by number.
private struct BinaryPropertyList {
    private let bytes: [UInt8]
    /// The bytes of an entry of the table, and of a reference.
    private let (offsetSize, referenceSize): (Int, Int)
    private let count: Int
    private let table: Int
    /// What the values so far stand for. An object that others share counts each time, so a list that refers to itself ends.
    private var (values, size) = (0, 0)

    /// The value at the top.
    static func value(of bytes: [UInt8]) throws(PropertyList.Failure) -> Any {
        guard bytes.starts(with: "bplist00".utf8) else {
            throw .unsupported("is a binary list of another version than 00")
        }
        guard bytes.count >= 40 else { throw .malformed }
        let trailer = bytes.suffix(32)
        let start = trailer.startIndex
        var list = BinaryPropertyList(
            bytes: bytes, offsetSize: Int(bytes[start + 6]), referenceSize: Int(bytes[start + 7]),
            count: try number(in: bytes, at: start + 8, size: 8), table: try number(in: bytes, at: start + 24, size: 8))
        let top = try number(in: bytes, at: start + 16, size: 8)
        // Each offset takes a byte at least, so none of the products below overflows.
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
            throw .exceeded("stands for more than \(PropertyList.maximumValues.grouped) values")
        }
        guard object < count else { throw .malformed }
        let place = try Self.number(in: bytes, at: table + object * offsetSize, size: offsetSize)
        guard place >= 8, place < table else { throw .malformed }
        let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 0xF))
        switch (kind, low) {
        case (0x0, 0x8): return false
        case (0x0, 0x9): return true
        case (0x1, 0...3):
            // Up to four bytes hold no sign; eight do.
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
        // Sets, and the numbers that archives refer to objects by: the list of an app has none.
        default: throw .unsupported("has values that only archives of objects have")
        }
    }

    /// The number of bytes, units or references of an object, and where they begin.
    private func length(_ low: Int, at place: Int) throws(PropertyList.Failure) -> (Int, Int) {
        guard low == 0xF else { return (low, place) }
        guard place < table, bytes[place] >> 4 == 0x1, bytes[place] & 0xF <= 3 else { throw .malformed }
        let size = 1 << Int(bytes[place] & 0xF)
        return (try Self.number(in: bytes, at: place + 1, size: size), place + 1 + size)
    }

    /// Bytes of an object, counted.
    private mutating func content(at start: Int, count: Int) throws(PropertyList.Failure) -> ArraySlice<UInt8> {
        guard start <= table, count <= table - start else { throw .malformed }
        size += count
        guard size <= PropertyList.maximumBytes else {
            throw .exceeded("stands for more than \(PropertyList.maximumBytes.formattedBytes)")
        }
        return bytes[start..<(start + count)]
    }

    private func references(at start: Int, count: Int) throws(PropertyList.Failure) -> [Int] {
        guard start <= table, try Self.product(count, referenceSize) <= table - start else { throw .malformed }
        // Before a list of that many is made.
        guard count <= 2 * PropertyList.maximumValues else {
            throw .exceeded("stands for more than \(PropertyList.maximumValues.grouped) values")
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
