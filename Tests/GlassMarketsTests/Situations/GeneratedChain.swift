@testable import GlassMarkets
import GlassSchema
import TestSupport

/// The files of a random market that depends on the situation, and a merger of them that knows nothing of how the
/// product evaluates conditions.
struct GeneratedChain {
    /// The files, beginning with the root.
    let files: [ConfigurationNode]

    /// The attributes that its conditions test, with the values of all situations.
    static let world: [(name: String, definition: [String: ConfigurationValue], values: [ContextValue?])] = [
        (
            "size", ["type": .string("choice"), "values": strings(["s", "m", "l"])],
            [nil, .text("s"), .text("m"), .text("l")]
        ),
        ("isGold", ["type": .string("boolean")], [nil, .boolean(true), .boolean(false)]),
        (
            "groups", ["type": .string("set"), "values": strings(["p", "q"])],
            [nil, .set([]), .set(["p"]), .set(["p", "q"])]
        ),
        ("api", ["type": .string("version")], [nil] + ["1", "2", "3"].map { ContextVersion($0).map { .version($0) } }),
    ]

    /// All situations.
    static let situations: [MarketContext] = world.reduce([MarketContext()]) { contexts, attribute in
        contexts.flatMap { context in
            attribute.values.map { value in
                var next = context
                next[attribute.name] = value
                return next
            }
        }
    }

    static func strings(_ texts: [String]) -> ConfigurationValue { .list(values: texts.map { .string($0) }) }

    // MARK: Striking out

    /// What the files say in a situation: everything that does not hold is struck out.
    func struckOut(in context: MarketContext) -> [ConfigurationNode] {
        var conditions: [String: ConfigurationNode] = [:]
        var overlays: [String: ConfigurationNode] = [:]
        for file in files {
            for (name, condition) in file.entries(at: "conditions") { conditions[name] = condition }
            for overlay in file.overlays {
                if let when = overlay.entries["when"] { overlays[overlay.name] = when }
            }
        }
        let world = Reader(context: context, conditions: conditions)
        var left: [ConfigurationNode] = []
        for file in files {
            left.append(world.struckOut(file.without(["attributes", "conditions", "overlays"])))
            for overlay in file.overlays.reversed() where world.holds(overlays[overlay.name]!) {
                left.append(world.struckOut(overlay.without(["name", "when"])))
            }
        }
        // A removal of what is struck out is struck out with it.
        for index in left.indices {
            left[index] = left[index].withoutRemovals { path in
                !left[..<index].contains { $0.node(at: path) != nil }
                    && files.contains { $0.says(path.elements[...]) }
            }
        }
        return left
    }

    /// Evaluates conditions from their data form.
    private struct Reader {
        let context: MarketContext
        let conditions: [String: ConfigurationNode]

        func holds(_ node: ConfigurationNode) -> Bool {
            switch node.value {
            case .boolean(let flag): return flag
            case .string(let name): return holds(conditions[name]!)
            case .emptyTable: return true
            case .map(let entries):
                if let all = entries["any"] { return all.elements.contains(where: holds) }
                if let all = entries["all"] { return all.elements.allSatisfy(holds) }
                if let inner = entries["no"] { return !holds(inner) }
                return entries.allSatisfy { passes($1.value, context[$0]) }
            default: fatalError("not generated")
            }
        }

        private func passes(_ test: ConfigurationValue, _ value: ContextValue?) -> Bool {
            switch (test, value) {
            case (.map(let entries), _):
                if let inner = entries["no"] { return !passes(inner.value, value) }
                return entries["is"]!.value == .string("missing") ? value == nil : value != nil
            case (.list(let tests), _): return tests.contains { passes($0.value, value) }
            case (_, nil): return false
            case (.boolean(let flag), .boolean(let found)?): return flag == found
            case (.string(let name), .set(let names)?): return names.contains(name)
            case (.string(let text), .version(let version)?):
                // ">= 2" or "< 3"
                let parts = text.split(separator: " ")
                let bound = ContextVersion(String(parts[1]))!
                return parts[0] == ">=" ? version >= bound : version < bound
            case (.string(let text), .text(let found)?): return text == found
            default: fatalError("not generated")
            }
        }

        func struckOut(_ node: ConfigurationNode) -> ConfigurationNode {
            strikeOut(node) ?? ConfigurationNode(.map([:]))
        }

        private func strikeOut(_ node: ConfigurationNode) -> ConfigurationNode? {
            switch node.value {
            case .map(let entries): return ConfigurationNode(.map(entries.compactMapValues(strikeOut)))
            default:
                guard case .directive(let directive) = node.value, case .vary(let choices, _) = directive.kind else {
                    return node
                }
                let chosen = choices.first { $0.when.map(holds) ?? true }
                return chosen.flatMap { strikeOut($0.value) }
            }
        }
    }

    // MARK: Generating

    init(seed: UInt64) {
        var generator = Generator(random: SplitMix64(state: seed))
        let count = Int.random(in: 1...3, using: &generator.random)
        files = (0..<count).map { generator.file($0) }
    }

    private struct Generator {
        var random: SplitMix64
        var conditionNames: [String] = []
        var overlayNames: [String] = []

        mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        mutating func any<Element>(_ list: [Element]) -> Element {
            list[Int.random(in: 0..<list.count, using: &random)]
        }

        mutating func file(_ number: Int) -> ConfigurationNode {
            var entries = map(depth: 0)
            if number == 0 {
                entries["attributes"] = ConfigurationNode(
                    .map(
                        values: Dictionary(
                            uniqueKeysWithValues: GeneratedChain.world.map { ($0.name, .map(values: $0.definition)) })))
            }
            var conditions: [String: ConfigurationNode] = [:]
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let name = any(["first", "second", "third"])
                // Only names of earlier files, so that no condition names itself.
                conditions[name] = condition(depth: 0, names: [])
            }
            if !conditions.isEmpty { entries["conditions"] = ConfigurationNode(.map(conditions)) }
            conditionNames = Array(Set(conditionNames + conditions.keys)).sorted()
            var overlays: [ConfigurationNode] = []
            for name in ["one", "two", "three"].shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)) {
                var values = map(depth: 0)
                values["name"] = ConfigurationNode(.string(name))
                if !overlayNames.contains(name) || isOneIn(2) {
                    values["when"] =
                        isOneIn(9) ? ConfigurationNode(.boolean(false)) : condition(depth: 0, names: conditionNames)
                }
                overlays.append(ConfigurationNode(.map(values)))
            }
            overlayNames += overlays.map(\.name)
            if !overlays.isEmpty { entries["overlays"] = ConfigurationNode(.list(overlays)) }
            return ConfigurationNode(.map(entries))
        }

        mutating func map(depth: Int) -> [String: ConfigurationNode] {
            var entries: [String: ConfigurationNode] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                entries[any(["a", "b", "c", "d"])] = value(depth: depth + 1)
            }
            return entries
        }

        mutating func value(depth: Int) -> ConfigurationNode {
            switch Int.random(in: 0..<14, using: &random) {
            case 0...3 where depth < 3:
                let entries = map(depth: depth)
                return ConfigurationNode(entries.isEmpty ? .emptyTable : .map(entries))
            case 4...6 where depth < 4:
                var choices = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    MergeDirective.Choice(
                        when: condition(depth: 0, names: conditionNames), value: value(depth: depth + 1))
                }
                if isOneIn(2) { choices.append(MergeDirective.Choice(when: nil, value: value(depth: depth + 1))) }
                return ConfigurationNode(.directive(MergeDirective(.vary(choices, isPerLocale: false))))
            case 7: return ConfigurationNode(.directive(MergeDirective(.append(list()))))
            case 8: return ConfigurationNode(.directive(MergeDirective(.prepend(list()))))
            case 9: return ConfigurationNode(.directive(MergeDirective(.remove(list()))))
            case 10: return ConfigurationNode(.directive(MergeDirective(.unset)))
            case 11: return ConfigurationNode(.list(list()))
            default: return ConfigurationNode(.integer(Int.random(in: 0...9, using: &random)))
            }
        }

        mutating func list() -> [ConfigurationNode] {
            (0..<Int.random(in: 1...3, using: &random)).map { _ in
                ConfigurationNode(.integer(Int.random(in: 0...5, using: &random)))
            }
        }

        mutating func condition(depth: Int, names: [String]) -> ConfigurationNode {
            func make(_ word: String, _ value: ConfigurationNode) -> ConfigurationNode {
                ConfigurationNode(.map([word: value]))
            }
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where depth < 2:
                return make(
                    "any",
                    ConfigurationNode(
                        .list([condition(depth: depth + 1, names: names), condition(depth: depth + 1, names: names)])))
            case 1 where depth < 2:
                return make(
                    "all",
                    ConfigurationNode(
                        .list([condition(depth: depth + 1, names: names), condition(depth: depth + 1, names: names)])))
            case 2 where depth < 2: return make("no", condition(depth: depth + 1, names: names))
            case 3, 4:
                return names.isEmpty
                    ? ConfigurationNode(.map(["isGold": ConfigurationNode(.boolean(true))]))
                    : ConfigurationNode(.string(any(names)))
            default:
                var tests: [String: ConfigurationNode] = [:]
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    let attribute = any(["size", "isGold", "groups", "api"])
                    tests[attribute] = test(of: attribute)
                }
                return ConfigurationNode(.map(tests))
            }
        }

        mutating func test(of attribute: String) -> ConfigurationNode {
            if isOneIn(8) { return ConfigurationNode(.map(values: ["is": .string(any(["missing", "present"]))])) }
            let test: ConfigurationNode
            switch attribute {
            case "size":
                test =
                    isOneIn(2)
                    ? ConfigurationNode(.string(any(["s", "m", "l"])))
                    : ConfigurationNode(GeneratedChain.strings(["s", "l"]))
            case "isGold": test = ConfigurationNode(.boolean(isOneIn(2)))
            case "groups": test = ConfigurationNode(.string(any(["p", "q"])))
            default: test = ConfigurationNode(.string(any([">= 2", "< 3", "< 2"])))
            }
            return isOneIn(4) ? ConfigurationNode(.map(["no": test])) : test
        }
    }
}

extension ConfigurationNode {
    fileprivate var entries: [String: ConfigurationNode] { if case .map(let entries) = value { entries } else { [:] } }
    fileprivate var elements: [ConfigurationNode] { if case .list(let nodes) = value { nodes } else { [] } }
    fileprivate func entries(at key: String) -> [String: ConfigurationNode] { entries[key]?.entries ?? [:] }
    fileprivate var overlays: [ConfigurationNode] { entries["overlays"]?.elements ?? [] }
    fileprivate var name: String { if case .string(let name)? = entries["name"]?.value { name } else { "" } }

    fileprivate func without(_ keys: Set<String>) -> ConfigurationNode {
        ConfigurationNode(.map(entries.filter { !keys.contains($0.key) }))
    }

    fileprivate func withoutRemovals(
        at path: ConfigurationPath = ConfigurationPath(), where isIdle: (ConfigurationPath) -> Bool
    ) -> ConfigurationNode {
        guard case .map(let entries) = value else { return self }
        var kept: [String: ConfigurationNode] = [:]
        for (key, entry) in entries {
            let inner = path.appending(key)
            if entry.value.isUnset, isIdle(inner) { continue }
            kept[key] = entry.withoutRemovals(at: inner, where: isIdle)
        }
        return ConfigurationNode(.map(kept))
    }

    /// Whether a file, an overlay or an alternative sets a key.
    fileprivate func says(_ path: ArraySlice<ConfigurationPath.Element>) -> Bool {
        if overlays.contains(where: { $0.says(path) }) { return true }
        if case .directive(let directive) = value, case .vary(let choices, _) = directive.kind {
            return choices.contains { $0.value.says(path) }
        }
        guard case .key(let key)? = path.first else { return !value.isUnset }
        return entries[key]?.says(path.dropFirst()) ?? false
    }
}
