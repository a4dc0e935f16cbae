package import GlassBase
package import GlassSchema

extension SchemaRecord {
    /// The findings that prevent the recorded release from reading a market, and those about values that it would
    /// ignore.
    ///
    /// Errors are what the release itself would reject: another format, values that its declarations do not allow, and
    /// routables, handlers and preconditions that it does not have. An unknown key is a warning, as it is in the
    /// release. Rules between keys are code of the release and are not checked.
    package func findings(
        in market: CompiledMarket, budget: WorkBudget = WorkBudget()
    ) throws(WorkBudget.Exceeded) -> [Finding] {
        // A release refuses every format but its own, whatever the values are.
        guard format == CompiledMarket.format else {
            return [
                Finding(
                    .unreadable, at: market.source.position, path: "schema",
                    "the release reads format \(format), but the market has format \(CompiledMarket.format)")
            ]
        }
        var found: [Finding] = []
        for attribute in market.situations.attributes where !attribute.isOwn {
            let name = attribute.declaration.name
            guard !attributes.contains(name) else { continue }
            found.append(
                Finding(
                    .unknownAttribute, at: market.source.position,
                    path: ConfigurationPath([.key("attributes"), .key(name)]),
                    "the release has no attribute with this name"))
        }
        // Each value that a key has in some situation.
        for root in market.source.variants {
            for finding in try findings(in: root, of: market, budget: budget) where !found.contains(finding) {
                found.append(finding)
            }
        }
        return found.sortedByPosition()
    }

    private func findings(
        in root: ConfigurationNode, of market: CompiledMarket, budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [Finding] {
        let findings = FindingList()
        let isSame = digest == market.schemaDigest
        try ConfigurationValidator.validate(
            root, as: .section(keys), into: findings, budget: budget,
            unknownKeys: { path in
                if case .key(let key)? = path.elements.first, path.elements.count == 1,
                    MarketSchema.reservedKeys.contains(key)
                {
                    return .error
                }
                return isSame ? .error : .warning
            })
        // Numbers that only look wrong were reported to the authors; a release can use them.
        let usable = { (findings: FindingList) in findings.sorted().filter { $0.code != .numbersDisagree } }
        guard case .map(let entries)? = root.node(at: "routables")?.value else { return usable(findings) }
        for (id, node) in entries.inOrder {
            guard node.value != .boolean(false) else { continue }
            let path = ConfigurationPath([.key("routables"), .key(id)])
            let settings = node.node(at: "show") ?? node.node(at: "handler")
            if settings == nil, !routables.contains(id) {
                findings.append(
                    Finding(
                        .unknownRoutable, at: node.keyPosition ?? node.position, path: path,
                        "the release has no routable with this id"))
            }
            if let handler = node.node(at: "handler"), case .string(let name) = handler.value, !handlers.contains(name)
            {
                findings.append(
                    Finding(
                        .unknownHandler, at: handler.position, path: path.appending("handler"),
                        "the release has no handler \(name.quotedForMessage)"))
            }
            guard case .list(let names)? = node.node(at: "waitForPreconditions")?.value else { continue }
            for (offset, name) in names.enumerated() {
                guard case .string(let text) = name.value, !preconditions.contains(text) else { continue }
                findings.append(
                    Finding(
                        .unknownPrecondition, at: name.position,
                        path: path.appending("waitForPreconditions").appending(index: offset + 1),
                        "the release has no precondition \(text.quotedForMessage)"))
            }
        }
        return usable(findings)
    }
}
