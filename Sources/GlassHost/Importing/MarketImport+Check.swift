import GlassAuthoring
import GlassBase
import GlassMarkets
import GlassSchema

/// What the check of the new market rejects.
extension MarketImport {
    /// Takes out the values that errors are about.
    ///
    /// - Returns: Whether there were any.
    mutating func takeOut(_ errors: [Finding]) -> Bool {
        var rejected: [Int: Finding] = [:]
        let outline = Outline(Array((text?.text.plain ?? "").utf8))
        for error in errors {
            if let index = value(for: error, in: outline) { rejected[index] = rejected[index] ?? error }
        }
        for (index, error) in rejected {
            let key = values[index].path
            for entry in values[index].entries {
                entries[entry].status = .lost
                entries[entry].key = nil
                entries[entry].secret = nil
                let start = "\(error.path.elements.isEmpty ? key : error.path): "
                entries[entry].message = error.message.hasPrefix(start) ? error.message : start + error.message
                entries[entry].hint = error.hint
            }
        }
        values = values.indices.filter { rejected[$0] == nil }.map { values[$0] }
        indexPlaces()
        return !rejected.isEmpty
    }

    /// The value that an error is about: the nearest one around its path, then one inside it, then one beside it. An error
    /// can also be about what a value makes of others, such as an environment that lacks a service of the new one. Then
    /// only its position is that of the value.
    private func value(for error: Finding, in outline: Outline) -> Int? {
        let path = error.path
        if let known = value(around: path) ?? value(inside: path) { return known }
        if let position = error.position, position.file.split(separator: "/").last == "\(id).lua",
            let place = outline.path(at: position), !path.elements.starts(with: place.elements),
            let known = value(around: place) ?? value(inside: place)
        {
            return known
        }
        let parent = ConfigurationPath(Array(path.elements.dropLast()))
        if parent.elements.count > 1, let beside = value(inside: parent) { return beside }
        // The market would have to be given up for a value that is not found.
        func common(_ index: Int) -> Int { zip(values[index].path.elements, path.elements).prefix { $0 == $1 }.count }
        return values.indices.max { common($0) < common($1) }.flatMap { common($0) > 1 ? $0 : nil }
    }

    private func value(around path: ConfigurationPath) -> Int? {
        values.indices.filter { path.elements.starts(with: values[$0].path.elements) }
            .max { values[$0].path.elements.count < values[$1].path.elements.count }
    }

    private func value(inside path: ConfigurationPath) -> Int? {
        path.elements.isEmpty ? nil : values.indices.last { values[$0].path.elements.starts(with: path.elements) }
    }

    /// The market with the values, as a change of what it has without them.
    mutating func text(over base: MarketText) -> MarketText {
        var text = base
        for value in values {
            let guessed = value.entries.first { entries[$0].status == .guessed }
            var content = value.content
            if value.path == "deepLinking.outboundSchemes", let inheritedSchemes,
                case .value(.list(let nodes)) = content
            {
                // The app opens those of its base, too.
                let own = nodes.filter { node in !inheritedSchemes.contains { node.value == .string($0) } }
                if own.isEmpty { continue }
                content = .appended(.list(own))
            }
            text.set(content, at: value.path, comment: guessed.map { "guessed from \(entries[$0].source)" })
        }
        self.text = text
        return text
    }
}
