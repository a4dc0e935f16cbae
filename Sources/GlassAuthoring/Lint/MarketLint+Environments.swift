import GlassBase
import GlassMarkets
import GlassSchema

extension MarketLint {
    /// The environment of users as the default of a debug build, and one for tests as the default of a release.
    var debugProduction: [Finding] {
        paths(.firstEnvironment).flatMap { path -> [Finding] in
            guard market.isValid(path), let all = market.schema.path(.environments, beside: path) else { return [] }
            return debugProduction(at: path, of: all)
        }
    }

    private func debugProduction(at path: ConfigurationPath, of all: ConfigurationPath) -> [Finding] {
        guard case .map(let environments)? = source.node(at: all)?.value,
            let users = environments.keys.sorted().first(where: {
                $0.words.contains(where: Self.wordsForUsers.contains)
            })
        else { return [] }
        let found = ownChoices(at: path).compactMap { choice -> Finding? in
            guard case .string(let name) = choice.node.value else { return nil }
            let isForTests = name.isForTests
            let isForUsers = !isForTests && name.words.contains(where: Self.wordsForUsers.contains)
            if isForUsers, choice.holds(in: "debug"), !choice.holds(in: "release") {
                let tests = environments.keys.sorted().first(where: \.isForTests)
                return warning(
                    .debugProduction, at: choice.node.position, path: path, subject: name,
                    "debug builds use \(name), the production environment",
                    hint: "write \((tests ?? "staging").quotedForMessage)",
                    correction: tests.map { .spelling(name, meant: $0, isUnambiguous: false) })
            }
            guard isForTests, choice.holds(in: "release"), isTakenInReleases(name, at: path) else { return nil }
            return warning(
                .debugProduction, at: choice.node.position, path: path, subject: name,
                "releases use \(name), a test environment",
                hint: "write \(users.quotedForMessage), and set \(name) in an overlay for build = \"debug\"",
                correction: .spelling(name, meant: users, isUnambiguous: false))
        }
        // Both mistakes in one file are one: the two environments are swapped.
        guard found.count == 2, var first = found.first, first.subject != found[1].subject else { return found }
        first.hint = "swap them: releases use \(first.subject == users ? found[1].subject : users)"
        first.correction = nil
        return [first]
    }

    private static let wordsForUsers: Set<String> = ["prod", "production", "live"]

    /// A value that the market's own file gives a key under conditions.
    private struct Choice {
        let node: ConfigurationNode
        let conditions: [Condition]

        /// Whether builds of a kind use it, as far as the conditions are about nothing else.
        func holds(in build: String) -> Bool {
            conditions.allSatisfy { condition in
                condition.attributes == ["build"] && condition.holds(in: MarketContext(["build": .text(build)]))
                    || condition == .always
            }
        }
    }

    private func ownChoices(at path: ConfigurationPath) -> [Choice] {
        guard let situations = market.origin.situations else {
            return market.origin.ownLayers.compactMap { $0.node(at: path) }.map { Choice(node: $0, conditions: []) }
        }
        var choices: [Choice] = []
        for fragment in situations.fragments where fragment.file == situations.ownFile {
            fragment.node.node(at: path)?.visit(.alternatives) { visited in
                guard !visited.node.value.isVaried else { return true }
                choices.append(Choice(node: visited.node, conditions: [fragment.condition] + visited.conditions))
                return false
            }
        }
        return choices
    }

    /// Whether the market has a value in its default situation, which is that of a release.
    private func isTakenInReleases(_ name: String, at path: ConfigurationPath) -> Bool {
        source.node(at: path)?.value == .string(name)
    }
}

extension String {
    private static let wordsForTests: Set<String> = [
        "dev", "development", "int", "integration", "mock", "qa", "sandbox", "stage", "staging", "stg", "test",
        "testing", "tests", "uat",
    ]

    /// Whether a word of an environment's name, or of a host, says that it is for tests.
    package var isForTests: Bool { words.contains(where: Self.wordsForTests.contains) }

    /// The words of a name such as `usProduction2` or `us-prod`, in lowercase.
    fileprivate var words: [String] {
        var words: [String] = [""]
        for character in self {
            if !character.isLetter {
                words.append("")
            } else if character.isUppercase, words.last?.last?.isUppercase == false {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words.filter { !$0.isEmpty }.map { $0.lowercased() }
    }
}
