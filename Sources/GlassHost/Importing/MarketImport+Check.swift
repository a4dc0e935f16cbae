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
        var surplus: [Int: [Int: Finding]] = [:]
        for error in errors {
            let parent = ConfigurationPath(Array(error.path.elements.dropLast()))
            let index =
                // The nearest value around the error, then one inside it, then one beside it.
                values.indices.filter { error.path.elements.starts(with: values[$0].path.elements) }
                .max { values[$0].path.elements.count < values[$1].path.elements.count }
                ?? values.indices.last {
                    values[$0].path.elements.starts(with: error.path.elements) && !error.path.elements.isEmpty
                }
                ?? values.indices.last {
                    values[$0].path.elements.starts(with: parent.elements) && parent.elements.count > 1
                }
            guard let index else { continue }
            // Without a rule that never holds, a flag is the same.
            if case .index(let number)? = error.path.elements.last, error.path.elements.count == 4,
                error.path.elements[0] == .key("flags"), error.path.elements[2] == .key("rules"),
                values[index].path.elements.count == 2, error.code == .neverHolds || error.code == .unreachable
            {
                surplus[index, default: [:]][number] = error
            } else {
                rejected[index] = rejected[index] ?? error
            }
        }
        for (index, rules) in surplus where rejected[index] == nil { takeOut(rules, of: index) }
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
        places = ImportPlaces()
        for (index, value) in values.enumerated() { places.add(value.path, index) }
        return !rejected.isEmpty || !surplus.isEmpty
    }

    /// Takes out rules of a flag, by their numbers from 1.
    private mutating func takeOut(_ rules: [Int: Finding], of index: Int) {
        let value = values[index]
        guard case .table(var fields) = value.content, case .value(.list(let nodes))? = fields["rules"] else { return }
        let rest = nodes.enumerated().filter { rules[$0.offset + 1] == nil }.map(\.element)
        fields["rules"] = rest.isEmpty ? nil : .value(.list(rest))
        values[index] = Value(path: value.path, content: .table(fields), entries: value.entries)
        let flag = entries[value.entries[0]]
        for (_, error) in rules.sorted(by: { $0.key < $1.key }) {
            entries.append(
                ImportEntry(
                    file: flag.file, source: "\(flag.source): \(error.subject)", status: .lost,
                    message: error.message, hint: error.hint))
        }
    }

    /// Says more about a lost value.
    mutating func explain(_ entry: Int, _ message: String, hint: String?) {
        entries[entry].message = message
        entries[entry].hint = hint
    }

    /// The market with the values, as a change of what it has without them.
    func text(over base: MarketText) -> MarketText {
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
        return text
    }
}
