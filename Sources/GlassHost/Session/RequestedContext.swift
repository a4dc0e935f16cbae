import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The situation that a command's options and environment describe.
///
/// A market declares attributes of its own, and gives others their names: its locales, its environments. So what the
/// options mean is known only once a market is loaded.
package struct RequestedContext: Sendable {
    /// The maximum size of a file of attributes, in bytes.
    private static let maximumFileSize = 64 << 10

    /// An attribute as it is written.
    private struct Attribute: Sendable {
        let value: Value
        /// The option, variable or file that has it, for messages.
        let source: String
    }

    private enum Value: Sendable {
        case text(String)
        case data(ConfigurationValue)
        case known(ContextValue)
    }

    /// An attribute that a market does not accept.
    struct Rejection: Sendable {
        /// Its name.
        let name: String
        fileprivate let source: String
        fileprivate let error: MarketContextError
        fileprivate let isUnknown: Bool

        /// The failure of a command, which is a usage error.
        func failure(in market: String) -> CommandFailure {
            CommandFailure(
                status: .usage, isUnknown ? .unknownAttribute : .invalidTest,
                "\(source): market \(market.quotedForMessage): \(error.description)")
        }
    }

    /// The attributes by name, each from the strongest source that has it.
    private var attributes: [String: Attribute] = [:]

    /// Reads the options, from the weakest to the strongest.
    init(_ options: GlobalOptions, _ environment: [String: String]) throws(CommandFailure) {
        if let now = options.clock { attributes["date"] = Attribute(value: .known(.date(now)), source: "--now") }
        if let text = environment["GLASS_CONTEXT"] {
            guard let parts = MarketContext.attributes(inCommandText: text) else {
                throw CommandFailure(
                    status: .usage, "\(GlobalOptions.notAttributes(text, of: "$GLASS_CONTEXT"))")
            }
            for (name, text) in parts { attributes[name] = Attribute(value: .text(text), source: "$GLASS_CONTEXT") }
        }
        if let file = options.contextFile { try read(file) }
        for text in options.context {
            for (name, text) in MarketContext.attributes(inCommandText: text) ?? [] {
                attributes[name] = Attribute(value: .text(text), source: "--context")
            }
        }
    }

    private mutating func read(_ file: String) throws(CommandFailure) {
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try Descriptor.regular(file).contents(limit: Self.maximumFileSize)
        } catch {
            throw CommandFailure(status: .impossible, .unreadable, "cannot read \(file): \(error.reason)")
        }
        let json: StrictJSON
        do throws(StrictJSONError) {
            json = try StrictJSON(reading: bytes, limit: Self.maximumFileSize, numbers: .all)
        } catch {
            throw CommandFailure(status: .impossible, .unreadable, "\(file):\(error)")
        }
        guard let members = json.members else {
            throw CommandFailure(
                status: .impossible, .unreadable,
                "\(file) contains no object; write the attributes as in { \"build\": \"debug\" }")
        }
        for member in members {
            guard let value = ConfigurationValue(attribute: member.value) else {
                throw CommandFailure(
                    status: .usage, .invalidTest,
                    "\(file): \(member.key): expected text, a number, true, false, or a list; leave out an attribute "
                        + "that is missing")
            }
            attributes[member.key] = Attribute(value: .data(value), source: file)
        }
    }

    /// Whether the command was given no attributes.
    var isEmpty: Bool { attributes.isEmpty }

    /// The attributes without the time that `--now` gives.
    var withoutClock: RequestedContext {
        var context = self
        if case .known? = attributes["date"]?.value { context.attributes["date"] = nil }
        return context
    }

    /// The names of the attributes.
    var names: Set<String> { Set(attributes.keys) }

    /// The values in a market that declares attributes, and those that it does not accept, by name.
    func values(for declared: [ContextAttribute]) -> (context: MarketContext, rejected: [Rejection]) {
        var context = MarketContext()
        var rejected: [Rejection] = []
        for (name, attribute) in attributes.sorted(by: { $0.key < $1.key }) {
            do throws(MarketContextError) {
                context[name] = try value(of: name, attribute, declared)
            } catch {
                let isUnknown = !declared.contains { $0.name == name }
                rejected.append(
                    Rejection(name: name, source: attribute.source, error: error, isUnknown: isUnknown))
            }
        }
        return (context, rejected)
    }

    private func value(
        of name: String, _ attribute: Attribute, _ declared: [ContextAttribute]
    ) throws(MarketContextError) -> ContextValue? {
        switch attribute.value {
        case .text(let text): try declared.value(of: name, from: text, zones: .system)
        case .data(let value): try declared.context(from: [name: value], zones: .system)[name]
        case .known(let value): value
        }
    }
}

extension ConfigurationValue {
    /// The value of an attribute in JSON; nil if no attribute has values of its kind.
    fileprivate init?(attribute json: StrictJSON) {
        switch json {
        case .boolean(let value): self = .boolean(value)
        case .integer(let integer):
            guard let value = integer.value else { return nil }
            self = .integer(value)
        case .number(let value): self = .number(value)
        case .string(let text): self = .string(text)
        case .array(let elements):
            let values = elements.compactMap { ConfigurationValue(attribute: $0) }
            guard values.count == elements.count else { return nil }
            self = .list(values: values)
        case .null, .object: return nil
        }
    }
}
