import Foundation
import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension MarketImport {
    /// Adds a route for a path of a file.
    ///
    /// A routable of the module whose standard paths include the route takes it. Any other route becomes a routable of
    /// the market that shows a screen with its name.
    ///
    /// - Parameter isEscaped: Whether the path is percent-encoded; the patterns of a market are not.
    mutating func addRoute(
        _ text: String, _ variables: StrictJSON?, _ required: [String], isEscaped: Bool, _ file: ImportFile,
        _ source: String
    ) throws {
        let path: ImportedPath
        do throws(ImportedPath.Mismatch) {
            path = try ImportedPath(text, variables, isEscaped: isEscaped)
        } catch {
            return try lose(file, [source], error.message)
        }
        let pattern = path.pattern + (required.isEmpty ? "" : "?\(required.joined(separator: "&"))")
        let features = schema.module.features
        let shape = Self.shape(pattern)
        // A wildcard at the end stands for the parameter of a standard path, if there is one.
        let near = shape.last == "*" ? shape.dropLast() + [":"] : shape
        func feature(_ shape: [String]) -> Feature? {
            features.first { $0.paths.contains { Self.shape($0) == shape } }
        }
        if let feature = feature(shape) ?? feature(near) {
            let key = ConfigurationPath([.key("routables"), .key(feature.id)])
            // A parameter may match more or less than the wildcard of the file.
            let isExact = !path.isNear && !shape.contains(":") && !shape.contains("*")
            let (status, message): (ImportEntry.Status, String) =
                isExact
                ? (.mapped, "its standard paths include it") : (.guessed, "a standard path of it is the nearest")
            if !values.contains(where: { $0.path == key }) {
                return try add(key, .table([:]), file, [source], status, message)
            }
            return try note(key, status, file, source)
        }
        // The routable of the same name, if an earlier path made it.
        let taken = Set(features.map(\.id))
        let words = path.pattern.split(separator: "/").filter { $0.first != ":" && $0.first != "*" }
        var id = Self.identifier(words)
        if taken.contains(id) { id += "Links" }
        let key = ConfigurationPath([.key("routables"), .key(id)])
        guard StringFormat.identifier.matches(id) else {
            return try lose(file, [source], "the path has no words from which a routable gets its id")
        }
        let message =
            path.isNear ? "the wildcards of the file match more than parameters do" : "the path has a new routable"
        if let index = values.firstIndex(where: { $0.path == key }) {
            guard case .table(let fields) = values[index].content, case .value(.list(let nodes))? = fields["paths"]
            else { return try note(key, .guessed, file, source) }
            if nodes.contains(where: { $0.value == .string(pattern) }) {
                return try note(key, .guessed, file, source)
            }
            var changed = fields
            changed["paths"] = .value(.list(nodes + [ConfigurationNode(.string(pattern))]))
            return try replace(index, .table(changed), file, [source], .guessed, message)
        }
        let show = ConfigurationValue.map(values: ["screen": .string(id)])
        try add(
            key, .table(["paths": .value(.list(values: [.string(pattern)])), "show": .value(show)]), file, [source],
            .guessed, message)
    }

    /// Reports a path that a routable has already.
    private mutating func note(
        _ key: ConfigurationPath, _ status: ImportEntry.Status, _ file: ImportFile, _ source: String
    ) throws {
        if let index = values.firstIndex(where: { $0.path == key }) { values[index].entries.append(entries.count) }
        try report(ImportEntry(file: file.path, source: Self.name([source]), status: status, key: key))
    }

    /// A pattern without the names of its parameters.
    private static func shape(_ pattern: String) -> [String] {
        pattern.split(separator: "/").map { segment in
            switch segment.first {
            case ":": ":"
            case "*": "*"
            default: segment.lowercased()
            }
        }
    }

    /// The words as one in camel case: `my-account/orders` is `myAccountOrders`.
    static func identifier(_ words: [Substring]) -> String {
        let words = words.map { $0.folding(options: .diacriticInsensitive, locale: nil) }
        let parts = words.flatMap { $0.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) } }
        var text = ""
        for part in parts.prefix(6) {
            text +=
                text.isEmpty
                ? part.prefix(1).lowercased() + part.dropFirst() : part.prefix(1).uppercased() + part.dropFirst()
        }
        return text.first?.isNumber == true ? "path\(text)" : text
    }
}
