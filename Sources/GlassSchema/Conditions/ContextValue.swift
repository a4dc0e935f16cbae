/// A value of an attribute of a situation.
public enum ContextValue: Sendable, Hashable {
    /// True or false.
    case boolean(Bool)
    /// A number.
    case number(Double)
    /// A text: also a choice, a locale or a region.
    case text(String)
    /// A version.
    case version(ContextVersion)
    /// An instant.
    case date(ContextDate)
    /// A reading of the clock.
    case localDate(ContextLocalDate)
    /// Names in no order.
    case set(Set<String>)
}

extension ContextValue: CustomStringConvertible {
    /// The value for people: `"debug"`, `24.3`, `2026-11-27T05:00:00Z`.
    public var description: String {
        switch self {
        case .boolean(let value): "\(value)"
        case .number(let value): Int(exactly: value).map { "\($0)" } ?? value.written
        case .text(let value): value.quotedForMessage
        case .version(let value): "\(value)"
        case .date(let value): "\(value)"
        case .localDate(let value): "\(value)"
        case .set(let names): names.sorted().map(\.quotedForMessage).joined(separator: ", ")
        }
    }
}

extension ContextValue {
    /// Whether a value of the same kind precedes another. False for kinds without an order.
    @inline(__always) package func precedes(_ other: ContextValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.version(let left), .version(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.localDate(let left), .localDate(let right)): left < right
        default: false
        }
    }

    /// Whether two values are the same. Texts are compared by their bytes, as by the tests of their parts; Swift's own
    /// `==` also finds a letter equal to its decomposed form.
    @inline(__always) func isSame(as other: ContextValue) -> Bool {
        switch (self, other) {
        case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
        default: self == other
        }
    }

    /// An order of all values, for canonical output.
    func isSortedBefore(_ other: ContextValue) -> Bool {
        switch (self, other) {
        case (.boolean(let left), .boolean(let right)): !left && right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: rank == other.rank ? precedes(other) : rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .boolean: 0
        case .number: 1
        case .text: 2
        case .version: 3
        case .date: 4
        case .localDate: 5
        case .set: 6
        }
    }

    /// The value in the data form.
    var dataForm: ConfigurationValue {
        switch self {
        case .boolean(let value): .boolean(value)
        case .number(let value): Int(exactly: value).map { .integer($0) } ?? .number(value)
        case .text(let value): .string(value)
        case .version(let value): .string("\(value)")
        case .date(let value): .string("\(value)")
        case .localDate(let value): .string("\(value)")
        case .set(let names): .list(values: names.sorted().map { .string($0) })
        }
    }
}

extension String {
    /// Whether two texts have the same UTF-8 bytes. Allocates nothing.
    @inline(__always) func hasSameBytes(as other: String) -> Bool {
        // Most texts differ, which `==` finds out fastest.
        self == other && utf8.elementsEqual(other.utf8)
    }
}

/// The situation that a market is read in: the values of its attributes by name.
///
/// ```swift
/// var context = MarketContext()
/// context["build"] = .text("debug")
/// context["appVersion"] = ContextVersion("24.3").map { .version($0) }
/// ```
///
/// An attribute without a value is missing, which is a situation of its own.
public struct MarketContext: Sendable, Hashable {
    /// The values by the names of their attributes.
    public var values: [String: ContextValue]
    /// The user's preferred languages, in order. They decide which of a market's locales is its `locale`, unless that
    /// has a value.
    public var languages: [String] = []

    /// Creates a situation in which every attribute is missing.
    public init() {
        values = [:]
    }

    /// Creates a situation.
    ///
    /// - Parameter values: The values by the names of their attributes.
    public init(_ values: [String: ContextValue]) {
        self.values = values
    }

    /// The value of an attribute; nil if it is missing.
    public subscript(name: String) -> ContextValue? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

extension MarketContext: CustomStringConvertible {
    /// The attributes and their values, by name: `build = "debug", region = "CA-QC"`.
    public var description: String {
        values.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)" }.joined(separator: ", ")
    }
}
