import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// The comparison of links.
extension MarketComparison {
    mutating func compareLinks() throws {
        let changes = try head.deepLinker.table.changes(since: base.deepLinker.table, budget: budget)
        let off = Set(base.definition.routables.keys.filter(isOff))
        for id in off.sorted() { reportOff(id, changes) }
        reportAdded(changes)
        for change in changes {
            guard let before = change.before, !off.contains(before.routableID) else { continue }
            report(change, before)
        }
        reportRecorded(besides: off)
        compareWaiting()
    }

    // MARK: Whole routables

    /// Whether the head disables a routable of the base, or no longer mentions it.
    private func isOff(_ id: String) -> Bool {
        guard case .on? = base.definition.routables[id] else { return false }
        if case .on? = head.definition.routables[id] { return false }
        return true
    }

    private func patterns(of id: String, in market: Market) -> [String] {
        market.deepLinker.table.declarations.filter { $0.routableID == id }.map(\.pattern)
    }

    private func path(of id: String) -> ConfigurationPath { ConfigurationPath([.key("routables"), .key(id)]) }

    /// The position of a routable on a side, or else of the table of routables.
    private func place(of id: String, in market: Market) -> SourcePosition? {
        (market.source.node(at: path(of: id)) ?? market.source.node(at: "routables"))?.position
    }

    private func listed(_ patterns: [String]) -> String {
        let shown = 3
        let more = patterns.count > shown ? " and \(patterns.count - shown) more" : ""
        return patterns.prefix(shown).map(\.quotedForMessage).joined(separator: ", ") + more
    }

    /// Reports a routable that the head disables or no longer mentions, once rather than for each of its routes.
    private mutating func reportOff(_ id: String, _ changes: [RouteChange]) {
        let patterns = patterns(of: id, in: base)
        guard !patterns.isEmpty else { return }
        let own = changes.filter { $0.before?.routableID == id }
        let proof = proof(of: own.flatMap(\.witnesses)) { $0 != .routable(id) }
        let others = Set(own.compactMap { $0.after?.routableID }).sorted()
        let now =
            others.isEmpty ? "its links open nothing" : "some of its links open \(others.joined(separator: " or "))"
        let used = recorded.filter { $0.before.routable == id && $0.beginning.isEmpty }
        let isDeprecated = patterns.allSatisfy { hasExpired($0, of: id) }
        let isGone = head.definition.routables[id] == nil
        let (before, after) = (place(of: id, in: base), place(of: id, in: head))
        add(
            PendingChange(
                .routableOff, isDeprecated ? .note : proof == nil && used.isEmpty ? .risky : nil, market: self.id,
                path: path(of: id), values: patterns + ["now"] + others,
                "\(id) \(isGone ? "was removed" : "is disabled"), and \(now): \(listed(patterns))\(usedText(used))",
                before: before, after: isGone ? tableOfRoutables(in: before?.file) ?? after : after,
                witness: used.first?.link.text ?? proof?.before, recorded: used.first?.link.place,
                propagationKey: "off"))
    }

    /// The position of the table of routables in the head's version of a file.
    private func tableOfRoutables(in file: String?) -> SourcePosition? {
        guard let file, let name = file.split(separator: "/").last else { return nil }
        return head.origin.layers.lazy.compactMap { $0.node(at: "routables")?.position }
            .first { $0.file.split(separator: "/").last == name }
    }

    private mutating func reportAdded(_ changes: [RouteChange]) {
        let added = changes.filter { $0.kind == .added }
        let known = Set(base.deepLinker.table.declarations.map(\.routableID))
        let groups = Dictionary(grouping: added) { $0.after?.routableID ?? "" }
        for (id, changes) in groups.sorted(by: { $0.key < $1.key }) {
            let patterns = changes.compactMap(\.after?.pattern)
            let witness = opening(id, changes.flatMap(\.witnesses))
            let isNew = !known.contains(id)
            let route = changes.first?.after
            let place = isNew ? nil : route.flatMap { head.place(of: $0).position }
            add(
                PendingChange(
                    isNew ? .routableOn : .linkAdded, market: self.id, path: path(of: id), subject: "\(patterns)",
                    isNew
                        ? "\(id) is new: \(listed(patterns)) open it"
                        : "\(listed(patterns)) now \(patterns.count == 1 ? "opens" : "open") \(id) instead of nothing",
                    before: self.place(of: id, in: base), after: place ?? self.place(of: id, in: head),
                    witness: witness, propagationKey: "\(patterns)"))
        }
    }

    // MARK: One route

    private mutating func report(_ change: RouteChange, _ before: RouteDeclaration) {
        let (place, path) = base.place(of: before)
        let after = change.after.flatMap { head.place(of: $0).position } ?? self.place(of: before.routableID, in: head)
        let used = recorded.filter { matches($0, change, before) }
        let old = "\(before.routableID) (\(before.pattern.quotedForMessage))"
        let new = change.after.map { "\($0.routableID) (\($0.pattern.quotedForMessage))" } ?? "nothing"
        let id = before.routableID
        var rule: ChangeRule
        var text: (String) -> String
        var proof: Proof?
        switch change.kind {
        case .lost:
            rule = narrowed(before) ? .linkParameters : .linkLost
            proof = self.proof(of: change.witnesses) { $0 == .nothing || $0 == .outside }
            text = { link in "\(link) opened \(old) and now opens nothing" }
        case .moved, .taken:
            rule = .linkMoved
            proof = self.proof(of: change.witnesses) { $0 != .routable(id) && $0 != .nothing && $0 != .outside }
            text = { link in "\(link) opened \(old) and now opens \(new)" }
        case .parametersGone(let names):
            rule = .linkParameters
            proof = self.proof(of: change.witnesses) { $0 == .routable(id) }
            let without = names.joined(separator: " and ")
            text = { link in "\(link) opens \(new) without \(without), which \(before.pattern.quotedForMessage) had" }
        case .parametersAdded(let names):
            rule = .linkParametersAdded
            proof = self.proof(of: change.witnesses) { $0 == .routable(id) }
            text = { link in "\(link) opens \(new) with \(names.joined(separator: " and ")), which is new" }
        case .undecided:
            rule = .linkLost
            text = { _ in
                "\(old) was removed or changed, with too many word combinations to try: its links may no longer open"
            }
        case .added: return
        }
        let severity: Change.Severity?
        if rule.severity != .breaking {
            severity = nil
        } else if change.kind == .lost, hasExpired(before.pattern, of: id) {
            severity = .note
        } else if !used.isEmpty {
            severity = nil
        } else {
            // A word that is now a separate route was a value of a parameter before, and may never have been used.
            severity = change.kind == .taken || proof == nil ? .risky : nil
        }
        let witness = used.first?.link.text ?? proof?.before
        var summary = text(witness ?? before.pattern.quotedForMessage) + usedText(used)
        if severity == .risky, proof == nil, change.kind != .undecided {
            summary += "; not proven, because \(id) did not accept the links that were tried"
        }
        if let until = deprecation(of: id)?.expires, isDeprecated(before.pattern, of: id) {
            summary += "; deprecated until \(until)"
        }
        add(
            PendingChange(
                rule, severity, market: self.id, path: path, subject: "\(before.pattern) \(change.kind)",
                // Accepting an unproven change does not accept the same change with a proof.
                values: [
                    change.after?.routableID ?? "", change.after?.pattern ?? "", "\(proof != nil || !used.isEmpty)",
                ], summary, before: place, after: after, witness: change.kind == .undecided ? nil : witness,
                recorded: used.first?.link.place,
                propagationKey: "\(before.pattern) \(change.kind) \(change.after?.pattern ?? "")"))
    }

    /// A link whose results differ on the two sides.
    struct Proof {
        let before: String
    }

    /// The first link that opened its route's routable and now has a different result.
    private func proof(of suffixes: [String], isOther: (LinkResult) -> Bool) -> Proof? {
        guard let form else { return nil }
        for suffix in suffixes.prefix(Self.maximumProofs) {
            let link = form.base + suffix
            let was = Self.open(link, in: base)
            guard case .routable(let routable) = was, base.deepLinker.dryRun(link).routableID == routable else {
                continue
            }
            if isOther(Self.open(form.head + suffix, in: head)) { return Proof(before: link) }
        }
        return nil
    }

    /// The first link that opens a routable in the head.
    private func opening(_ id: String, _ suffixes: [String]) -> String? {
        guard let form else { return nil }
        return suffixes.prefix(Self.maximumProofs).lazy.map { form.head + $0 }
            .first { Self.open($0, in: head) == .routable(id) }
    }

    /// Whether the routable still has the route, for parameters of narrower types.
    private func narrowed(_ before: RouteDeclaration) -> Bool {
        guard let old = base.deepLinker.table.pattern(of: before) else { return false }
        let table = head.deepLinker.table
        return zip(table.declarations, table.patterns).contains { declaration, pattern in
            declaration.routableID == before.routableID && pattern.segments.count == old.segments.count
                && pattern.requiredQuery == old.requiredQuery
                && zip(pattern.segments, old.segments).allSatisfy { one, other in
                    switch (one, other) {
                    case (.literal(let left), .literal(let right)): left.lowercased() == right.lowercased()
                    case (.parameter, .parameter), (.catchAll, .catchAll), (.parameter, .catchAll): true
                    case (.affixed(let left), .affixed(let right)):
                        left.text(of: ":").lowercased() == right.text(of: ":").lowercased()
                    case (.affixed, .parameter), (.affixed, .catchAll): true
                    default: false
                    }
                }
        }
    }

    // MARK: Recorded links

    private func usedText(_ used: [RecordedChange]) -> String {
        used.isEmpty ? "" : "; this affects \(used.count.counted("recorded link"))"
    }

    private func matches(_ recorded: RecordedChange, _ change: RouteChange, _ before: RouteDeclaration) -> Bool {
        guard recorded.beginning.isEmpty, recorded.before.routable == before.routableID,
            recorded.before.pattern == before.pattern
        else { return false }
        switch change.kind {
        case .lost: return recorded.after == nil
        case .moved, .taken:
            return recorded.after?.routable == change.after?.routableID
                && recorded.after?.pattern == change.after?.pattern
        case .parametersGone(let names): return recorded.gone == names
        case .parametersAdded, .added, .undecided: return false
        }
    }

    /// Reports recorded links that changed in a way that no generated link showed.
    private mutating func reportRecorded(besides off: Set<String>) {
        let reported = Set(drafts.compactMap { $0.recorded })
        let rest = recorded.filter { change in
            change.beginning.isEmpty && !off.contains(change.before.routable) && !reported.contains(change.link.place)
        }
        struct Kind: Hashable {
            let before: RecordedChange.Target
            let after: RecordedChange.Target?
            let gone: [String]
        }
        let tellable = rest.filter { change in
            !drafts.contains { draft in
                draft.recorded != nil && draft.subject.hasPrefix("\(change.before.pattern) ")
                    && draft.path.map { $0.elements.contains(.key(change.before.routable)) } ?? false
            }
        }
        let groups = Dictionary(grouping: tellable) { Kind(before: $0.before, after: $0.after, gone: $0.gone) }
        for (kind, changes) in groups.sorted(by: { $0.value[0].link.place < $1.value[0].link.place }) {
            let first = changes[0]
            let isSame = kind.after?.routable == kind.before.routable
            let rule: ChangeRule = kind.after == nil ? .linkLost : isSame ? .linkParameters : .linkMoved
            let new =
                kind.after.map { "now opens \($0.routable) (\($0.pattern.quotedForMessage))" } ?? "now opens nothing"
            let without = isSame ? " without \(kind.gone.joined(separator: " and "))" : ""
            let old = "\(kind.before.routable) (\(kind.before.pattern.quotedForMessage))"
            let isExpired = kind.after == nil && hasExpired(kind.before.pattern, of: kind.before.routable)
            add(
                PendingChange(
                    rule, isExpired ? .note : nil, market: id, path: path(of: kind.before.routable),
                    subject: "\(kind.before.pattern) recorded \(kind.after?.pattern ?? "")",
                    values: [kind.after?.routable ?? ""] + kind.gone,
                    "\(first.link.text) opened \(old) and \(new)\(without)\(usedText(changes))",
                    before: place(of: kind.before.routable, in: base), after: place(of: kind.before.routable, in: head),
                    witness: first.link.text, recorded: first.link.place,
                    propagationKey: "\(kind.before.pattern) recorded \(kind.after?.pattern ?? "")"))
        }
    }

    // MARK: Deprecation

    /// The deprecation of a routable's routes: in the head, or else in the base.
    private func deprecation(of id: String) -> RoutableDeprecation? {
        for market in [head, base] {
            if case .on(let settings)? = market.definition.routables[id], let deprecated = settings.deprecated {
                return deprecated
            }
        }
        return nil
    }

    private func isDeprecated(_ pattern: String, of id: String) -> Bool {
        deprecation(of: id)?.paths.contains(pattern) ?? false
    }

    /// Whether a route can be removed, because its deprecation has expired.
    private func hasExpired(_ pattern: String, of id: String) -> Bool {
        guard let deprecation = deprecation(of: id), deprecation.paths.contains(pattern) else { return false }
        // Dates in this format sort like their texts.
        return deprecation.expires < reviewer.today
    }

    // MARK: Waiting

    /// The preconditions that links of a routable wait for.
    private func waits(_ routable: any Routable, in market: Market) -> Set<String> {
        switch routable.requiredPreconditions {
        case .all: Set(market.preconditions.names)
        case .none: []
        case .named(let names): Set(names)
        }
    }

    private mutating func compareWaiting() {
        let old = Dictionary(base.deepLinker.routables.map { ($0.id, waits($0, in: base)) }) { first, _ in first }
        for routable in head.deepLinker.routables.sorted(by: { $0.id < $1.id }) {
            guard let before = old[routable.id] else { continue }
            let now = waits(routable, in: head)
            for (names, rule) in [
                (now.subtracting(before).sorted(), ChangeRule.linkWaits),
                (before.subtracting(now).sorted(), .linkWaitsLess),
            ] where !names.isEmpty {
                let path = path(of: routable.id).appending("waitForPreconditions")
                func place(_ market: Market) -> SourcePosition? {
                    market.source.node(at: path)?.position ?? self.place(of: routable.id, in: market)
                }
                let listed = names.joined(separator: " and ")
                add(
                    PendingChange(
                        rule, market: id, path: path, subject: listed,
                        rule == .linkWaits
                            ? "links of \(routable.id) now wait for \(listed) before they open it"
                            : "links of \(routable.id) no longer wait for \(listed)", before: place(base),
                        after: place(head)))
            }
        }
    }
}

extension RouteTable {
    /// The compiled pattern of a route.
    fileprivate func pattern(of declaration: RouteDeclaration) -> RoutePattern? {
        declarations.firstIndex(of: declaration).map { patterns[$0] }
    }
}
