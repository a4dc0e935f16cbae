import GlassBase
import GlassDeepLinking
import GlassMarketFiles
package import GlassMarkets
package import GlassSchema

/// A market, examined for values that cannot be meant: no type or format forbids them.
///
/// A rule is a function in an extension. It reads ``written``, the values of the market's own files in all situations,
/// and ``source``, the values of the market in its default situation, and returns warnings made by
/// ``warning(_:at:path:subject:_:hint:correction:)``. None of these values has an error. A rule that would be misled by
/// a value that is left out names the key in ``rules``, or asks `market.isValid(_:)`. A cause in a base market's file is
/// reported when the base market is checked: a rule that compares two values reports them only if ``isOwn(_:)`` holds
/// for one of them. An abstract base cannot be examined alone, so the files of the market include those of its abstract
/// bases.
struct MarketLint {
    /// A rule, and the keys without which it cannot be applied.
    struct Rule: Sendable {
        /// The keys that must have no error.
        var needs: [ConfigurationPath] = []
        /// The keys that must have no error in any routable.
        var ofEachRoutable: [String] = []
        /// Returns the warnings without source lines.
        let warnings: @Sendable (MarketLint) -> [Finding]
    }

    /// The rules.
    static let rules: [Rule] = [
        Rule { $0.insecureURLs }, Rule { $0.literalCredentials }, Rule { $0.placeholders }, Rule { $0.sharedURLs },
        Rule { $0.inheritedServices },
        Rule(ofEachRoutable: ["show"]) { $0.unknownScreens },
        Rule(needs: ["preconditions"], ofEachRoutable: ["waitForPreconditions"]) { $0.unusedPreconditions },
        Rule { $0.unreachablePaths }, Rule { $0.lostDeprecatedPaths }, Rule { $0.unreadParameters },
        Rule { $0.missingParameters }, Rule { $0.declinedParameters },
        Rule { $0.debugProduction },
        Rule(needs: ["deepLinking.allowedDomains", "deepLinking.universalLinks"]) { $0.unlistedHosts },
        Rule { $0.publicSuffixes }, Rule { $0.unknownRegions }, Rule(needs: ["locales"]) { $0.foreignRegions },
        Rule { CountryRule.findings(in: $0) }, Rule(needs: ["locales"]) { $0.scriptMismatches },
        Rule { $0.idleOverlays },
    ]

    /// The values of the market that have no error.
    let market: ValidValues
    /// The values that the market's own files write, in the order of their positions, except for the patterns of routes.
    let written: [WrittenValue]
    /// The patterns of routes that they write, up to ``maximumPatterns``.
    let ownPatterns: [OwnPattern]
    /// The settings of the market's routables, including inherited ones.
    let routables: [String: RoutableSettings]
    /// The positions of these values, and of the tables around them.
    private let ownPositions: Set<SourcePosition>

    /// Collects the values of a market.
    init(_ market: ValidValues) {
        self.market = market
        var collector = Collector(market: market)
        if let situations = market.origin.situations {
            let abstract = situations.fragments.filter { market.origin.isAbstract($0.node) }.map(\.file)
            for fragment in situations.fragments {
                collector.isInherited = fragment.file != situations.ownFile
                guard !collector.isInherited || abstract.contains(fragment.file) else { continue }
                collector.isConditional = fragment.overlay != nil
                collector.collect(fragment.node, at: ConfigurationPath())
            }
        } else {
            for layer in market.origin.ownLayers { collector.collect(layer, at: ConfigurationPath()) }
            collector.isInherited = true
            for layer in market.origin.baseLayers where market.origin.isAbstract(layer) {
                collector.collect(layer, at: ConfigurationPath())
            }
        }
        let values = collector.values.sorted { left, right in
            switch (left.position, right.position) {
            case (let left?, let right?): left < right
            case (let left, _): left != nil
            }
        }
        written = values.filter { !$0.path.isPattern }
        ownPatterns = values.lazy.filter(\.path.isPattern).prefix(Self.maximumPatterns).compactMap(OwnPattern.init)
        routables = market.definition.routables.compactMapValues { routable in
            if case .on(let settings) = routable { settings } else { nil }
        }
        ownPositions = collector.positions
    }

    /// The maximum number of patterns that are lintResult: checking a hostile file must take no longer than loading it.
    private static let maximumPatterns = 5_000

    /// A pattern that the market's own files write.
    struct OwnPattern {
        let id: String
        let text: String
        let compiled: RoutePattern
        let written: WrittenValue
    }

    /// The values of the market in its default situation, including those that it inherits.
    var source: ConfigurationNode { market.source }

    /// The keys of the market.
    var schema: SectionDeclaration { market.schema.declaration }

    /// The paths of the keys with a role, in any section, in the order of declaration.
    func paths(_ role: KeyDeclaration.Role) -> [ConfigurationPath] { market.schema.paths(role) }

    /// The elements of the lists with a role.
    func elements(_ role: KeyDeclaration.Role) -> [RoledElement] {
        paths(role).flatMap { path -> [RoledElement] in
            guard case .list(let nodes)? = source.node(at: path)?.value,
                let section = schema.type(at: path)?.elementType?.section
            else { return [] }
            return nodes.enumerated().map { offset, node in
                RoledElement(list: path, path: path.appending(index: offset + 1), node: node, section: section)
            }
        }
    }

    /// Whether the market's own files write a node. Also true for a table of which they write a part.
    func isOwn(_ node: ConfigurationNode) -> Bool { node.position.map(ownPositions.contains) ?? false }

    /// The first of some keys that the market's own file sets, or else the first that a file sets which is examined with it,
    /// such as that of an abstract base; nil if the market inherits all of them. An abstract base may be right for its
    /// other markets.
    func ownPlace(of paths: [ConfigurationPath]) -> (path: ConfigurationPath, node: ConfigurationNode)? {
        let own = paths.compactMap { path in source.node(at: path).map { (path: path, node: $0) } }
            .filter { isOwn($0.node) }
        let file = market.origin.own?.position?.file
        return own.first { $0.node.position?.file == file } ?? own.first
    }

    /// Named values of one kind, divided into those about which the files accept a rule's warnings, and all others: a
    /// finding about several values must not name those that are accepted. No group is empty.
    func byAcceptance(
        of rule: FindingCode, _ nodes: [String: ConfigurationNode]
    ) -> [[(service: String, node: ConfigurationNode)]] {
        let acceptances = market.origin.acceptances.filter { $0.rule == rule }
        let groups = Dictionary(grouping: nodes.sorted { $0.key < $1.key }) { _, node in
            acceptances.contains { $0.covers(rule, at: node.position) }
        }
        return [false, true].compactMap { groups[$0]?.map { (service: $0.key, node: $0.value) } }
    }

    /// The values that the market's own files write at a path or below it.
    func written(below path: ConfigurationPath) -> some Sequence<WrittenValue> {
        written.lazy.filter { $0.path.elements.starts(with: path.elements) }
    }

    /// A warning of a rule.
    func warning(
        _ code: FindingCode, at position: SourcePosition?, path: ConfigurationPath, subject: String = "",
        _ message: String, hint: String? = nil, correction: Correction? = nil
    ) -> Finding {
        Finding(
            code, severity: .warning, at: position, path: path, subject: subject, message,
            advice: Advice(hint, correction))
    }

    /// The warnings of all rules, with their source lines and fixes.
    var findings: [Finding] {
        let found = Self.rules.flatMap { rule in
            applies(rule) ? rule.warnings(self).prefix(FindingList.maximumOfAFile) : []
        }
        guard !found.isEmpty else { return [] }
        return found.withLines(of: market.origin.files).withPlacesAndFixes(in: market.origin.files, budget: .unlimited)
    }
}

extension MarketLint {
    /// Whether the values that a rule needs have no error.
    private func applies(_ rule: Rule) -> Bool {
        rule.needs.allSatisfy(market.isValid)
            && (rule.ofEachRoutable.isEmpty || market.areValid(rule.ofEachRoutable, inEach: "routables"))
    }

    /// Whether some keys of a routable have no error.
    func isValid(_ keys: String..., ofRoutable id: String) -> Bool {
        keys.allSatisfy { market.isValid(ConfigurationPath([.key("routables"), .key(id), .key($0)])) }
    }
}

/// An element of a list whose key has a role, such as a cookie. What its keys are called is up to its section.
struct RoledElement {
    /// The path of the list.
    let list: ConfigurationPath
    /// The path of the element.
    let path: ConfigurationPath
    let node: ConfigurationNode
    let section: SectionDeclaration

    /// The text of the key with a role, and its path; nil if the element has no such text.
    func text(_ role: KeyDeclaration.Role) -> (text: String, path: ConfigurationPath)? {
        guard let name = section.name(of: role),
            let text = node.node(at: ConfigurationPath([.key(name)]))?.value.stringValue
        else { return nil }
        return (text, path.appending(name))
    }
}

/// A value that a market's own file writes: no table, but what is inside it.
struct WrittenValue {
    /// The value.
    let value: ConfigurationValue
    /// The key that it is the value of, in overlays as well. An element of `append` has its index in the directive.
    let path: ConfigurationPath
    /// The position of the value.
    let position: SourcePosition?
    /// The position of its key.
    let keyPosition: SourcePosition?
    /// Whether the value is in an overlay, or is an alternative of `vary` or `perLocale`.
    let isConditional: Bool
    /// Whether the value is in the file of an abstract base.
    let isInherited: Bool

    /// The text, if the value is one that a rule may read: a name, host, pattern, or sentence is not longer.
    var text: String? { value.stringValue.flatMap { $0.utf8.count <= Self.maximumText ? $0 : nil } }

    private static let maximumText = 4096
}

/// Collects the values inside a file's table.
private struct Collector {
    let market: ValidValues
    var values: [WrittenValue] = []
    var positions: Set<SourcePosition> = []
    var isConditional = false
    var isInherited = false

    mutating func collect(_ node: ConfigurationNode, at path: ConfigurationPath) {
        node.visit([.lists, .directives, .alternatives], inOrder: false, at: path) { visited in
            guard !market.isInError(visited.path) else { return false }
            let node = visited.node
            if let position = node.position { positions.insert(position) }
            switch node.value {
            case .map, .list, .varied: return true
            case .directive(let directive):
                switch directive.kind {
                case .append, .prepend: return true
                case .remove, .unset, .vary: return false
                }
            default:
                values.append(
                    WrittenValue(
                        value: node.value, path: visited.path, position: node.position, keyPosition: node.keyPosition,
                        isConditional: isConditional || !visited.conditions.isEmpty, isInherited: isInherited))
                return false
            }
        }
    }
}

/// What a look at a market's meaning finds.
package struct LintResult: Sendable {
    /// The warnings about the market alone.
    package let findings: [Finding]
    /// The values to compare with those of other markets.
    package let mentions: MarketMentions
}

extension MarketCheck {
    /// What a look at the market's meaning finds. In a market with errors, only rules are applied that need none of the
    /// values with errors; nil if it is not known which values these are.
    package var lintResult: LintResult? {
        validValues.map { values in
            let lint = MarketLint(values)
            return LintResult(findings: lint.findings, mentions: MarketMentions(lint))
        }
    }

    /// What there is to say about the market by itself: what its files get wrong, what cannot be meant, and what it
    /// inherits without saying so. `check`, the editor, and the cards of the pages show these findings.
    ///
    /// - Parameter lintResult: The market as ``examined`` returned it, if that is known.
    package func report(_ lintResult: LintResult? = nil) -> [Finding] {
        let lint = (lintResult ?? self.lintResult)?.findings ?? []
        return findings + accepted + undecided(besides: lint) + lint
    }

    /// Warnings about values that cannot be meant, such as a URL without encryption.
    package var lintFindings: [Finding] { lintResult?.findings ?? [] }
}
