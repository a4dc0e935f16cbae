import Foundation
import GlassBase
public import GlassSchema

extension Market {
    /// The situation that the market was read in: the values that the app or a command gave, and the defaults.
    public var context: MarketContext { situation.live }

    /// The same market in another situation.
    ///
    /// ```swift
    /// let debug = try canada.with(MarketContext(["build": .text("debug")]))
    /// ```
    ///
    /// - Parameter context: The attributes to change. Those that it does not set keep their values.
    /// - Returns: A market with services of its own; this market if nothing in it depends on the situation.
    /// - Throws: ``MarketContextError`` if the market has no such attribute or the value has another type;
    ///   ``MarketError`` if the market has an error in that situation, which only an unchecked market can have.
    public func with(_ context: MarketContext) throws -> Market {
        try attributes.check(context)
        var given = given
        given.start.values.merge(context.values) { $1 }
        given.live.values.merge(context.values) { $1 }
        return try read(in: given)
    }

    /// The same market in the situation of given attributes, with defaults for all others.
    package func read(in given: MarketSituation) throws(MarketError) -> Market {
        guard let situations = origin.situations else { return self }
        return try reread(self, given, situations)
    }

    /// Builds the market once more, with services and a deep linker of its own.
    package func copy() throws(MarketError) -> Market { try reread(self, given, origin.situations) }

    /// The attributes that the market's conditions can test.
    package var attributes: [ContextAttribute] {
        origin.situations?.attributes
            ?? SituationReader.sharedAttributes(of: origin.layers, locales: definition.locales, schema)
    }

    /// Whether any value of the market depends on the situation.
    package var dependsOnSituation: Bool { origin.situations?.deciding.isEmpty == false }
}

extension MarketSituation: CustomStringConvertible {
    /// The attributes of the live context, as a command takes them.
    package var description: String { live.commandText }
}

/// The reason why a context cannot be used.
public struct MarketContextError: DescriptiveError, Hashable {
    /// The attribute.
    public let attribute: String
    /// The problem, with a solution if one is known.
    public let description: String

    /// Creates an error.
    package init(_ attribute: String, _ description: String) {
        self.attribute = attribute
        self.description = description
    }

    /// Creates the error for a value, with its hint.
    fileprivate init(_ attribute: String, _ error: ContextValueError) {
        let near = error.word.flatMap { Suggestion.nearest(to: $0, in: error.candidates) }
        let hint = near.map { "did you mean \"\($0)\"?" } ?? error.hint
        self.init(attribute, "\(attribute): \(error.message)" + (hint.map { "; \($0)" } ?? ""))
    }
}

extension [ContextAttribute] {
    /// Reads a context from data, such as JSON or a table of a script: a value for each attribute, a list for a set, and
    /// text for a version or a date.
    package func context(
        from data: [String: ConfigurationValue], zones: ZoneRules
    ) throws(MarketContextError) -> MarketContext {
        var context = MarketContext()
        for (name, value) in data.sorted(by: { $0.key < $1.key }) {
            let attribute = try attribute(named: name)
            do throws(ContextValueError) {
                context[name] = try attribute.value(from: value, zones: zones)
            } catch {
                throw MarketContextError(name, error)
            }
        }
        return context
    }

    /// Reads the value of an attribute from the text of a command.
    package func value(
        of name: String, from text: String, zones: ZoneRules
    ) throws(MarketContextError) -> ContextValue {
        let attribute = try attribute(named: name)
        do throws(ContextValueError) {
            return try attribute.value(from: text, zones: zones)
        } catch {
            throw MarketContextError(name, error)
        }
    }

    /// The declaration of an attribute.
    package func attribute(named name: String) throws(MarketContextError) -> ContextAttribute {
        if let found = first(where: { $0.name == name }) { return found }
        let names = map(\.name)
        let near = Suggestion.nearest(to: name, in: names).map { "; did you mean \"\($0)\"?" }
        throw MarketContextError(
            name,
            "there is no attribute \(name.quotedForMessage)\(near ?? "; the attributes are \(names.sorted().joined(separator: ", "))")"
        )
    }

    /// Checks that a context has only attributes of these, with values of their types.
    package func check(_ context: MarketContext) throws(MarketContextError) {
        for (name, value) in context.values.sorted(by: { $0.key < $1.key }) {
            let attribute = try attribute(named: name)
            guard attribute.accepts(value) else {
                throw MarketContextError(name, "\(name) is \(attribute.expectation), not \(value)")
            }
        }
    }
}

extension ContextValue {
    /// The kinds of values.
    enum Kind {
        case boolean, number, text, version, date, localDate, set
    }

    /// The kind of this value.
    var kind: Kind {
        switch self {
        case .boolean: .boolean
        case .number: .number
        case .text: .text
        case .version: .version
        case .date: .date
        case .localDate: .localDate
        case .set: .set
        }
    }
}

extension ContextType {
    /// The kind of the values that an attribute of this type has.
    var kind: ContextValue.Kind {
        switch self {
        case .boolean: .boolean
        case .integer, .number, .bucket: .number
        case .choice, .text, .locale, .region: .text
        case .version: .version
        case .date: .date
        case .localDate: .localDate
        case .set: .set
        }
    }
}

extension ContextAttribute {
    /// Whether a value is one of the attribute's type. The names of choices are not compared: an app may know more.
    func accepts(_ value: ContextValue) -> Bool { type.kind == value.kind }

    /// The value that the attribute has by a key of the market; nil if it is of another kind.
    func value(of data: ConfigurationValue) -> ContextValue? {
        do throws(ContextValueError) {
            return try value(from: data, zones: .utc)
        } catch {
            return nil  // the key has a finding of its own
        }
    }
}

extension Condition {
    /// The condition that the current date is at or after a date.
    static func since(_ date: ContextDate) -> Condition {
        .test("date", .ranges([ContextRange(lower: ContextRange.Bound(.date(date), isInclusive: true))]))
    }
}
