import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The comparison of keys.
extension MarketComparison {
    /// Keys whose changes are reported by the comparison of addresses.
    private static let reportedElsewhere: Set<ConfigurationPath> = [
        "deepLinking.schemes", "deepLinking.universalLinks", "deepLinking.allowedDomains", "deepLinking.browser",
    ]

    mutating func compareKeys(_ difference: MarketDifference) throws {
        for key in difference.keys where !Self.reportedElsewhere.contains(key.path) {
            if concernsFlag(key.path) || Self.concernsShow(key.path) { continue }
            if reportPreference(key) || reportIdentity(key) || reportPrivacy(key) || reportEndpoint(key)
                || reportFunction(key)
                || reportSecret(key)
            {
                continue
            }
            reportValue(key)
        }
        reportSecretNames()
        reportAttributes()
        reportShows()
        try reportRepeated()
    }

    /// Whether ``tellShows()`` reports a key.
    private static func concernsShow(_ path: ConfigurationPath) -> Bool {
        path.elements.count > 2 && path.elements[0] == .key("routables")
            && (path.elements[2] == .key("show") || path.elements[2] == .key("handler"))
    }

    /// Adds a change of a key, with its positions on both sides.
    mutating func add(
        _ rule: ChangeRule, _ key: KeyDifference, as severity: Change.Severity? = nil, subject: String = "",
        values: [String]? = nil, _ summary: String
    ) {
        let values = values ?? ValueChange.values(from: key.sides[0].value, to: key.sides[1].value)
        add(
            PendingChange(
                rule, severity, market: id, path: key.path, subject: subject, values: values, summary,
                before: key.sides[0].position, after: key.sides[1].position))
    }

    // MARK: Any key

    private mutating func reportValue(_ key: KeyDifference) {
        let (old, new) = (key.sides[0].value, key.sides[1].value)
        guard let old else {
            add(.keySet, key, "\(key.path) is now \(new?.written ?? "nothing"), and had no value before")
            return
        }
        guard let new else {
            add(.keyUnset, key, "\(key.path) was \(old.written), and no longer has a value")
            return
        }
        let sense = head.schema.declaration.key(at: key.path)?.sense
        switch ValueChange(from: old, to: new, sense: sense) {
        case .narrower(let detail):
            add(.keyNarrowed, key, "\(key.path) \(detail ?? "changed from \(old.written) to \(new.written)")")
        case .wider(let detail):
            add(.keyWidened, key, "\(key.path) \(detail ?? "changed from \(old.written) to \(new.written)")")
        case .other:
            let lists =
                old.listElements != nil && new.listElements != nil ? ValueChange.detail(from: old, to: new) : nil
            add(.keyChanged, key, "\(key.path) \(lists ?? "changed from \(old.written) to \(new.written)")")
        }
    }

    // MARK: Identity

    /// What a store, a device, or a site identifies the app by.
    private static let identities: Set<KeyDeclaration.Role> = [
        .bundleIdentifier, .teamIdentifier, .storeIdentifier, .androidPackage,
    ]

    /// What the value at a path means; nil for one inside a list or map.
    func role(at path: ConfigurationPath) -> KeyDeclaration.Role? {
        guard let role = head.schema.declaration.key(at: path)?.role, head.schema.paths(role).contains(path) else {
            return nil
        }
        return role
    }

    private mutating func reportIdentity(_ key: KeyDifference) -> Bool {
        guard let old = key.sides[0].value, let new = key.sides[1].value else { return false }
        let role = role(at: key.path)
        if let role, Self.identities.contains(role) {
            add(.identityChanged, key, "\(key.path) changed from \(old.written) to \(new.written): a different app")
            return true
        }
        guard role == .certificateDigests else { return false }
        let lists = ListChange(from: old, to: new)
        for digest in lists.removed {
            add(
                .identityChanged, key, subject: digest.written, values: ["-"],
                "\(key.path) no longer has \(digest.written): apps signed with it cannot open the market's links")
        }
        for digest in lists.added {
            add(
                .identityChanged, key, as: .note, subject: digest.written, values: ["+"],
                "\(key.path) also has \(digest.written)")
        }
        if lists.isEmpty { add(.keyChanged, key, "\(key.path) has a different order") }
        return true
    }

    // MARK: Stored values

    private mutating func reportPreference(_ key: KeyDifference) -> Bool {
        if head.schema.declaration.key(at: key.path)?.identity == .appGroup, let old = key.sides[0].value,
            let new = key.sides[1].value
        {
            add(
                .preferenceType, key,
                "\(key.path) changed from \(old.written) to \(new.written): stored data on devices is no longer read"
            )
            return true
        }
        let elements = key.path.elements
        guard
            let preferences = head.schema.paths(.preferences).first(where: {
                elements.starts(with: $0.elements) && elements.count > $0.elements.count
            }), case .key(let name) = elements[preferences.elements.count]
        else { return false }
        let path = preferences.appending(name)
        let (was, now) = (base.effective.node(at: path) != nil, head.effective.node(at: path) != nil)
        guard was, now else {
            // Report each preference once, even if several of its keys differ.
            guard key.path.lastKey == "type" else { return true }
            let type = (key.sides[0].value ?? key.sides[1].value)?.written ?? ""
            if was {
                add(.preferenceType, key, "the preference \(name), \(type), was removed: devices still have values")
            } else {
                add(.preferenceAdded, key, "the preference \(name), \(type), is new")
            }
            return true
        }
        guard key.path.lastKey == "type", let old = key.sides[0].value, let new = key.sides[1].value else {
            return false
        }
        add(
            .preferenceType, key,
            "the preference \(name) changed from \(old.written) to \(new.written): devices have values of the old type"
        )
        return true
    }

    // MARK: Endpoints

    private mutating func reportEndpoint(_ key: KeyDifference) -> Bool {
        if key.sides[0].value == nil || key.sides[1].value == nil { return reportHost(key) }
        guard case .string(let old)? = key.sides[0].value, case .string(let new)? = key.sides[1].value,
            let (wasSecure, oldHost) = Self.endpoint(old), let (isSecure, newHost) = Self.endpoint(new)
        else { return false }
        if wasSecure, !isSecure {
            add(
                .endpointCleartext, key,
                "\(key.path) changed from \(old) to \(new): traffic to it is unencrypted")
        } else if isSecure, !wasSecure {
            add(.endpointEncrypted, key, "\(key.path) changed from \(old) to \(new)")
        } else if oldHost != newHost {
            add(.endpointChanged, key, "\(key.path) changed from \(old) to \(new): a different host")
        } else {
            return false
        }
        return true
    }

    /// Reports a URL that only one side has, if the other side has no URL of its host.
    private mutating func reportHost(_ key: KeyDifference) -> Bool {
        guard case .string(let url)? = (key.sides[0].value ?? key.sides[1].value), let (_, host) = Self.endpoint(url)
        else { return false }
        let isNew = key.sides[1].value != nil
        guard !(isNew ? base : head).hostsOfURLs.contains(host) else { return false }
        add(
            isNew ? .endpointAdded : .endpointRemoved, key,
            isNew ? "\(key.path) is now \(url): a new host" : "\(key.path) was \(url), the only URL of its host"
        )
        return true
    }

    fileprivate static func endpoint(_ text: String) -> (isSecure: Bool, host: String)? {
        for (start, isSecure) in [("https://", true), ("http://", false)] where text.hasPrefix(start) {
            return (isSecure, text.dropFirst(start.count).prefix { $0 != "/" }.lowercased())
        }
        return nil
    }

    // MARK: Functions and shows

    private mutating func reportFunction(_ key: KeyDifference) -> Bool {
        func isFunction(_ side: KeyDifference.Side) -> Bool { if case .opaque? = side.value { true } else { false } }
        guard key.sides.contains(where: isFunction) else { return false }
        let places = key.places.count == 2 ? key.places : []
        add(
            PendingChange(
                .handleChanged, market: id, path: key.path, values: key.sides.map { isFunction($0) ? "function" : "" },
                key.sides.allSatisfy(isFunction)
                    ? "\(key.path) has a different source; the effect is unknown"
                    : "\(key.path) \(isFunction(key.sides[1]) ? "is new" : "was removed"); the effect is unknown",
                before: places.first ?? key.sides[0].position, after: places.last ?? key.sides[1].position))
        return true
    }

    /// Compares `show` and `handler`, which the key comparison does not cover.
    private mutating func reportShows() {
        for (id, routable) in head.definition.routables.sorted(by: { $0.key < $1.key }) {
            guard case .on(let new) = routable, case .on(let old)? = base.definition.routables[id] else { continue }
            for (name, before, after) in [
                ("show", old.show?.configurationValue, new.show?.configurationValue),
                ("handler", old.handler?.configurationValue, new.handler?.configurationValue),
            ] where before != after {
                let path = ConfigurationPath([.key("routables"), .key(id), .key(name)])
                add(
                    PendingChange(
                        .handleChanged, market: self.id, path: path,
                        values: [before?.written ?? "", after?.written ?? ""],
                        "\(path) changed from \(before?.written ?? "nothing") to \(after?.written ?? "nothing")",
                        before: base.source.node(at: path)?.position, after: head.source.node(at: path)?.position))
            }
        }
    }

    // MARK: Overrides

    /// Reports values that a market sets although it would inherit them anyway, unless it already did so in the base.
    private mutating func reportRepeated() throws {
        guard head.definition.extends != nil else { return }
        func repeated(_ market: Market) throws -> [ConfigurationPath: MarketMatrix.Cell] {
            var cells: [ConfigurationPath: MarketMatrix.Cell] = [:]
            for row in try MarketMatrix([market], budget: budget).rows {
                if row.cells[0].state == .repeated { cells[row.path] = row.cells[0] }
            }
            return cells
        }
        // Setting one of these keys is a decision, even with the inherited value.
        let decided = Set(head.schema.declaration.identifyingKeys.map(\.path))
        let new = try repeated(head).filter { !decided.contains($0.key) }
        // There is almost never one, and then the older side need not be examined.
        guard !new.isEmpty else { return }
        let old = try repeated(base)
        for (path, cell) in new.map({ ($0.key.description, $0) }).sorted(by: { $0.0 < $1.0 }).map(\.1)
        where old[path] == nil {
            add(
                PendingChange(
                    .overrideSame, market: id, path: path,
                    values: [head.definition.extends ?? "", cell.value?.written ?? ""],
                    "\(path) is the same as in \(head.definition.extends ?? "its base"): \(cell.value?.written ?? "")",
                    before: base.source.node(at: path)?.position, after: cell.position))
        }
    }
}

extension Market {
    /// The hosts of the URLs in its values.
    fileprivate var hostsOfURLs: Set<String> {
        var hosts: Set<String> = []
        source.visit(.lists, inOrder: false) { visited in
            if case .string(let text) = visited.node.value, let (_, host) = MarketComparison.endpoint(text) {
                hosts.insert(host)
            }
            return true
        }
        return hosts
    }
}
