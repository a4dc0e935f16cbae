/// A version of an app or a system: one to four numbers, and optionally a pre-release as in Semantic Versioning.
///
/// ```swift
/// ContextVersion("24.3")! == ContextVersion("24.3.0")!             // true: a missing number is 0
/// ContextVersion("24.3.0-beta.2")! < ContextVersion("24.3")!       // true
/// ContextVersion("v24.3")                                          // nil
/// ```
///
/// Two versions are equal exactly if neither precedes the other, so build metadata is not kept.
public struct ContextVersion: Sendable, Hashable {
    /// The largest size of a version's text, in bytes.
    static let maximumLength = 256
    /// The largest number of digits of a number, so that each fits in 64 bits and has a successor.
    private static let maximumDigits = 18

    // Four properties instead of an array, so that comparing versions allocates nothing.
    private var major: UInt64 = 0
    private var minor: UInt64 = 0
    private var patch: UInt64 = 0
    private var revision: UInt64 = 0
    /// The identifiers of the pre-release, separated by dots; empty for a release. Numeric identifiers have no leading
    /// zeros, so versions with equal precedence have equal text.
    private var prerelease = ""

    /// Parses a version.
    ///
    /// - Parameter text: One to four numbers, optionally a pre-release after a hyphen and metadata after a plus sign.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let bytes = text.utf8
        let release = bytes.prefix { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") }
        let numbers = release.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard numbers.count <= 4 else { return nil }
        for (index, digits) in numbers.enumerated() {
            guard !digits.isEmpty, digits.count <= Self.maximumDigits, digits.allSatisfy(\.isASCIIDigit),
                let number = UInt64(Substring(digits))
            else { return nil }
            self[index] = number
        }
        var rest = bytes[release.endIndex...]
        if rest.first == UInt8(ascii: "-") {
            let identifiers = rest.dropFirst().prefix { $0 != UInt8(ascii: "+") }
            guard Self.areIdentifiers(identifiers, areNumbersExact: true) else { return nil }
            prerelease = String(Substring(identifiers))
            rest = rest[identifiers.endIndex...]
        }
        if rest.first == UInt8(ascii: "+") {
            guard Self.areIdentifiers(rest.dropFirst(), areNumbersExact: false) else { return nil }
        }
    }

    private init(_ numbers: [UInt64], prerelease: String) {
        for (index, number) in numbers.prefix(4).enumerated() { self[index] = number }
        self.prerelease = prerelease
    }

    private subscript(index: Int) -> UInt64 {
        get {
            switch index {
            case 0: major
            case 1: minor
            case 2: patch
            default: revision
            }
        }
        set {
            switch index {
            case 0: major = newValue
            case 1: minor = newValue
            case 2: patch = newValue
            default: revision = newValue
            }
        }
    }

    private static func areIdentifiers(_ text: Substring.UTF8View, areNumbersExact: Bool) -> Bool {
        text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { identifier in
            let isNumber = identifier.allSatisfy(\.isASCIIDigit)
            let hasLeadingZero = isNumber && identifier.count > 1 && identifier.first == UInt8(ascii: "0")
            return !identifier.isEmpty && !(areNumbersExact && hasLeadingZero)
                && identifier.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || $0 == UInt8(ascii: "-") }
        }
    }
}

extension ContextVersion: Comparable {
    /// Whether the version precedes another, as in Semantic Versioning 2.0.0, §11. Linear in the text of the
    /// pre-releases; allocates nothing.
    public static func < (left: ContextVersion, right: ContextVersion) -> Bool {
        if left.major != right.major { return left.major < right.major }
        if left.minor != right.minor { return left.minor < right.minor }
        if left.patch != right.patch { return left.patch < right.patch }
        if left.revision != right.revision { return left.revision < right.revision }
        if left.prerelease.isEmpty || right.prerelease.isEmpty {
            return !left.prerelease.isEmpty && right.prerelease.isEmpty
        }
        return precedes(left.prerelease.utf8[...], right.prerelease.utf8[...])
    }

    private static func precedes(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Bool {
        var (left, right) = (left, right)
        while !left.isEmpty, !right.isEmpty {
            let (mine, other) = (left.prefix { $0 != UInt8(ascii: ".") }, right.prefix { $0 != UInt8(ascii: ".") })
            if !mine.elementsEqual(other) {
                switch (mine.allSatisfy(\.isASCIIDigit), other.allSatisfy(\.isASCIIDigit)) {
                case (true, true) where mine.count != other.count: return mine.count < other.count
                case (true, false): return true
                case (false, true): return false
                default: return mine.lexicographicallyPrecedes(other)
                }
            }
            left = left[mine.endIndex...].dropFirst()
            right = right[other.endIndex...].dropFirst()
        }
        return left.isEmpty && !right.isEmpty
    }
}

extension ContextVersion: CustomStringConvertible {
    /// The version without zeros at the end: `24.3` for `24.3.0`. Equal versions have equal text.
    public var description: String {
        let last = (0..<4).last { self[$0] != 0 } ?? 0
        let numbers = (0...last).map { String(self[$0]) }.joined(separator: ".")
        return prerelease.isEmpty ? numbers : "\(numbers)-\(prerelease)"
    }
}

extension ContextVersion {
    /// The smallest version.
    static let smallest = ContextVersion([], prerelease: "0")

    /// The next version: no version is between the two. A release is followed by the first pre-release of the next
    /// number, a pre-release by the one with a further identifier 0, which has the lowest precedence of all.
    var successor: ContextVersion {
        if !prerelease.isEmpty {
            var next = self
            next.prerelease += ".0"
            return next
        }
        return ContextVersion([major, minor, patch, revision + 1], prerelease: "0")
    }

    /// The releases that come to mind first after this version, shortest first.
    var simpleSuccessors: [ContextVersion] {
        (prerelease.isEmpty ? [] : [ContextVersion([major, minor, patch, revision], prerelease: "")])
            + (0..<4).map { last in
                ContextVersion((0...last).map { self[$0] + ($0 == last ? 1 : 0) }, prerelease: "")
            }
    }

    /// The release that comes to mind first before this version, with the last number that is not 0 reduced by one.
    var simplePredecessor: ContextVersion {
        guard let last = (0..<4).last(where: { self[$0] != 0 }) else { return Self.smallest }
        return ContextVersion((0...last).map { self[$0] - ($0 == last ? 1 : 0) }, prerelease: "")
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII digit.
    var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
    /// Whether the byte is an ASCII letter.
    var isASCIILetter: Bool { (0x41...0x5A).contains(self & 0xDF) }
    /// The byte, in lowercase if it is an ASCII letter.
    var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
