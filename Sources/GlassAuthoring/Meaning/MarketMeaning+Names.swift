import GlassBase
import GlassMarkets
import GlassSchema

extension MarketMeaning {
    /// A name that a market makes up, such as that of a header.
    private struct Name {
        let text: String
        let path: ConfigurationPath
        let position: SourcePosition
        let isOwn: Bool
        /// The map or list that it is in.
        let group: String
    }

    /// The kinds of names, with the maps whose keys they are.
    private static let maps: [(kind: String, paths: [ConfigurationPath])] = [
        ("header", ["platform.networking.headers", "platform.urlSession.headers"]),
        ("environment", ["platform.environment.environments"]),
        ("preference", ["platform.preferences.keys"]),
        ("default", ["platform.userDefaultsRegistration.defaults"]),
        ("attribute", ["platform.aniviaSuperAttributes.attributes"]),
        ("flag", ["flags"]), ("layer", ["layers"]),
    ]

    /// The keys whose values are names of headers.
    private static let keysOfHeaders: [ConfigurationPath] = [
        "platform.networking.consumerKeyHeader", "platform.analytics.collector.writeKeyHeader",
        "platform.analytics.collector.batchKeyHeader", "platform.quimby.customerHeader", "platform.quimby.cartHeader",
    ]

    /// The names that are nearly another one of their kind, and are used only there.
    var similarNames: [Finding] {
        Self.maps.flatMap { kind, paths in similar(names(in: paths, kind), kind) }
            + similarPreconditions + abbreviated + similar(conditions, "condition") + similar(cookies, "cookie")
            + similar(services, "service")
    }

    private func names(in paths: [ConfigurationPath], _ kind: String) -> [Name] {
        var found: [Name] = []
        for path in paths {
            for (isOwn, node) in files(at: path) {
                guard case .map(let entries) = node.value else { continue }
                for (key, entry) in entries {
                    guard let position = entry.keyPosition ?? entry.position else { continue }
                    found.append(
                        Name(
                            text: key, path: path.appending(key), position: position, isOwn: isOwn,
                            group: path.description))
                }
            }
        }
        guard kind == "header" else { return found }
        for path in Self.keysOfHeaders {
            for (isOwn, node) in files(at: path) {
                guard case .string(let text) = node.value, let position = node.position else { continue }
                found.append(Name(text: text, path: path, position: position, isOwn: isOwn, group: path.description))
            }
        }
        return found
    }

    private var conditions: [Name] {
        (market.origin.situations?.conditionPositions ?? [:]).map { name, position in
            Name(
                text: name, path: ConfigurationPath("conditions").appending(name), position: position,
                isOwn: position.file == market.origin.own?.position?.file, group: "conditions")
        }
    }

    private var services: [Name] {
        files(at: "platform.environment.environments").flatMap { isOwn, node -> [Name] in
            guard case .map(let environments) = node.value else { return [] }
            return environments.flatMap { name, environment -> [Name] in
                let path = ConfigurationPath("platform.environment.environments").appending(name).appending("services")
                guard case .map(let entries)? = environment.node(at: "services")?.value else { return [] }
                return entries.compactMap { key, entry in
                    (entry.keyPosition ?? entry.position).map {
                        Name(text: key, path: path.appending(key), position: $0, isOwn: isOwn, group: "services")
                    }
                }
            }
        }
    }

    private var cookies: [Name] {
        files(at: "platform.cookieStorage.cookies").flatMap { isOwn, node -> [Name] in
            elements(of: node).enumerated().compactMap { offset, cookie in
                guard let name = cookie.node(at: "name"), case .string(let text) = name.value,
                    let position = name.position
                else { return nil }
                let path = ConfigurationPath("platform.cookieStorage.cookies").appending(index: offset + 1)
                return Name(
                    text: text, path: path.appending("name"), position: position, isOwn: isOwn, group: "cookies")
            }
        }
    }

    private func elements(of node: ConfigurationNode) -> [ConfigurationNode] {
        if case .list(let nodes) = node.value { return nodes }
        switch node.value.word?.kind {
        case .append(let nodes), .prepend(let nodes): return nodes
        case .remove, .unset, .vary, nil: return []
        }
    }

    /// The preconditions that the market adds, and that are nearly one of the app's or of its base's, with that one.
    var misspelledPreconditions: [String: String] {
        func names(_ layers: ArraySlice<ConfigurationNode>) -> Set<String> {
            layers.reduce(into: []) { names, layer in
                if case .map(let entries)? = layer.node(at: "preconditions")?.value { names.formUnion(entries.keys) }
            }
        }
        let known = names(market.origin.baseLayers).union(market.schema.module.preconditions.map(\.name)).sorted()
        let pairs = names(market.origin.ownLayers).subtracting(known).compactMap { name -> (String, String)? in
            let near = known.first {
                $0.lowercased() == name.lowercased() || $0.lowercased().isSlip(of: name.lowercased())
            }
            return near.map { (name, $0) }
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private var similarPreconditions: [Finding] {
        misspelledPreconditions.sorted { $0.key < $1.key }.map { name, near in
            let path = ConfigurationPath("preconditions").appending(name)
            let node = source.node(at: path)
            var finding = nearly(near, name, "precondition", at: node?.keyPosition ?? node?.position, path)
            // There is one already, so another name alone is not the fix.
            finding.hint = "wait for \(near.quotedForMessage) and remove this one, or choose a name that differs more"
            finding.correction = nil
            return finding
        }
    }

    /// The environments whose names shorten the name of an inherited one.
    private var abbreviated: [Finding] {
        let path: ConfigurationPath = "platform.environment.environments"
        return abbreviatedEnvironments.sorted { $0.key < $1.key }.map { name, meant in
            let node = source.node(at: path.appending(name))
            return nearly(meant, name, "environment", at: node?.keyPosition ?? node?.position, path.appending(name))
        }
    }

    private func nearly(
        _ near: String, _ name: String, _ kind: String, at position: SourcePosition?, _ path: ConfigurationPath
    ) -> Finding {
        warning(
            .similarName, at: position, path: path, subject: "\(name) \(near)",
            "the \(kind) \(name.quotedForMessage) is nearly \(near.quotedForMessage)",
            hint: "write \(near.quotedForMessage), or a name that differs more",
            correction: .spelling(name, meant: near, isUnambiguous: false))
    }

    /// What the files write at a path, those of the base markets as well, beginning with the root.
    private func files(at path: ConfigurationPath) -> [(isOwn: Bool, node: ConfigurationNode)] {
        if let situations = market.origin.situations {
            return situations.fragments.compactMap { fragment in
                fragment.node.node(at: path).map { (fragment.file == situations.ownFile, $0) }
            }
        }
        return market.origin.baseLayers.compactMap { $0.node(at: path).map { (false, $0) } }
            + market.origin.ownLayers.compactMap { $0.node(at: path).map { (true, $0) } }
    }

    /// The warnings about names of one kind.
    private func similar(_ names: [Name], _ kind: String) -> [Finding] {
        guard names.contains(where: \.isOwn), names.count <= 1_000 else { return [] }
        let uses = Dictionary(grouping: names, by: \.text)
        let own = names.filter(\.isOwn).sorted { $0.position < $1.position }
        return own.compactMap { name in
            // A name that a base market has, or that is written twice, is meant.
            guard let mine = uses[name.text], mine.count == 1 else { return nil }
            let near = uses.values.compactMap(\.first).filter { isMeant($0, for: name, uses, kind) }
                .min { ($0.isOwn ? 1 : 0, $0.position) < ($1.isOwn ? 1 : 0, $1.position) }
            guard let near else { return nil }
            var finding = nearly(near.text, name.text, kind, at: name.position, name.path)
            finding.related = [Finding.RelatedPosition(near.position, ofClashWith: "\(near.text.quotedForMessage)")]
            return finding
        }
    }

    /// Whether another name may be meant by one.
    private func isMeant(_ other: Name, for name: Name, _ uses: [String: [Name]], _ kind: String) -> Bool {
        guard other.text != name.text else { return false }
        let known = uses[other.text] ?? []
        let isInherited = known.contains { !$0.isOwn }
        // Of two names of the same file, the one that is used more often is right, or else the first.
        guard isInherited || known.count > 1 || other.position < name.position else { return false }
        // A table that has both means both.
        let hasBoth = known.contains { $0.isOwn && $0.group == name.group }
        if other.text.lowercased() == name.text.lowercased() { return true }
        guard other.text.lowercased().isSlip(of: name.text.lowercased()) else { return false }
        return !hasBoth && !other.text.isPlural(of: name.text) || hasBoth && other.text.doublesLetter(of: name.text)
    }
}

extension String {
    /// Whether one of two names has an `s` more at its end.
    func isPlural(of other: String) -> Bool { self == other + "s" || other == self + "s" }

    /// Whether one of two names doubles a letter of the other, or swaps two: no two words differ in that.
    fileprivate func doublesLetter(of other: String) -> Bool {
        let (short, long) = utf8.count < other.utf8.count ? (self, other) : (other, self)
        if short.utf8.count == long.utf8.count { return short.utf8.sorted() == long.utf8.sorted() }
        let letters = Array(long.lowercased().utf8)
        return letters.indices.dropLast().contains { index in
            guard letters[index] == letters[index + 1] else { return false }
            var rest = letters
            rest.remove(at: index)
            return rest == Array(short.lowercased().utf8)
        }
    }
}
