import GlassBase
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What keys say.
extension MarketComparison {
    /// Keys whose changes links, addresses and permissions tell.
    private static let reportedElsewhere: Set<ConfigurationPath> = [
        "deepLinking.schemes", "deepLinking.universalLinks", "deepLinking.allowedDomains",
    ]

    mutating func compareKeys(_ difference: MarketDifference) throws {
        for key in difference.keys where !Self.reportedElsewhere.contains(key.path) {
            if tellPreference(key) || tellIdentity(key) || tellPrivacy(key) || tellEndpoint(key) || tellFunction(key)
                || tellSecret(key)
            {
                continue
            }
            reportValue(key)
        }
        tellSecretNames()
        tellShows()
        try tellRepeated()
    }

    /// A change of a key, told where both sides have it.
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
            add(.keySet, key, "\(key.path) is \(new?.written ?? "nothing"), and had no value")
            return
        }
        guard let new else {
            add(.keyUnset, key, "\(key.path) was \(old.written), and has no value any more")
            return
        }
        let sense = head.schema.declaration.key(at: key.path)?.sense
        switch ValueChange(from: old, to: new, sense: sense) {
        case .narrower(let detail):
            add(.keyNarrowed, key, "\(key.path) \(detail ?? "is \(new.written) and was \(old.written)")")
        case .wider(let detail):
            add(.keyWidened, key, "\(key.path) \(detail ?? "is \(new.written) and was \(old.written)")")
        case .other:
            let lists =
                old.listElements != nil && new.listElements != nil ? ValueChange.detail(from: old, to: new) : nil
            add(.keyChanged, key, "\(key.path) \(lists ?? "is \(new.written) and was \(old.written)")")
        }
    }

    // MARK: Identity

    /// What a store, a device or a site knows the app by.
    private static let identities: Set<ConfigurationPath> = [
        "platform.appInfo.bundleIdentifier", "platform.appInfo.teamIdentifier", "platform.appInfo.appStoreIdentifier",
        "platform.appInfo.android.package",
    ]
    private static let certificates: ConfigurationPath = "platform.appInfo.android.certificateDigests"

    private mutating func tellIdentity(_ key: KeyDifference) -> Bool {
        guard let old = key.sides[0].value, let new = key.sides[1].value else { return false }
        if Self.identities.contains(key.path) {
            add(.identityChanged, key, "\(key.path) is \(new.written) and was \(old.written): it is another app")
            return true
        }
        guard key.path == Self.certificates else { return false }
        let lists = ListChange(from: old, to: new)
        for digest in lists.removed {
            add(
                .identityChanged, key, subject: digest.written, values: ["-"],
                "\(key.path) has \(digest.written) no more: what is signed with it cannot open the market's links")
        }
        for digest in lists.added {
            add(
                .identityChanged, key, as: .note, subject: digest.written, values: ["+"],
                "\(key.path) has \(digest.written) beside the others")
        }
        if lists.isEmpty { add(.keyChanged, key, "\(key.path) has another order") }
        return true
    }

    // MARK: Stored values

    private static let preferences: ConfigurationPath = "platform.preferences.keys"

    private mutating func tellPreference(_ key: KeyDifference) -> Bool {
        if head.schema.declaration.key(at: key.path)?.identity == .appGroup, let old = key.sides[0].value,
            let new = key.sides[1].value
        {
            add(
                .preferenceType, key,
                "\(key.path) is \(new.written) and was \(old.written): what devices have stored stays where nothing reads it"
            )
            return true
        }
        let elements = key.path.elements
        guard elements.starts(with: Self.preferences.elements), elements.count > Self.preferences.elements.count,
            case .key(let name) = elements[Self.preferences.elements.count]
        else { return false }
        let path = Self.preferences.appending(name)
        let (was, now) = (base.effective.node(at: path) != nil, head.effective.node(at: path) != nil)
        guard was, now else {
            // Each preference once, though several of its keys differ.
            guard key.path.lastKey == "type" else { return true }
            let type = (key.sides[0].value ?? key.sides[1].value)?.written ?? ""
            if was {
                add(.preferenceType, key, "the preference \(name), \(type), is gone: devices have stored values of it")
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
            "the preference \(name) is \(new.written) and was \(old.written): devices have stored values of the old type"
        )
        return true
    }

    // MARK: Endpoints

    private mutating func tellEndpoint(_ key: KeyDifference) -> Bool {
        guard case .string(let old)? = key.sides[0].value, case .string(let new)? = key.sides[1].value,
            let (wasSecure, oldHost) = Self.endpoint(old), let (isSecure, newHost) = Self.endpoint(new)
        else { return false }
        if wasSecure, !isSecure {
            add(
                .endpointCleartext, key,
                "\(key.path) is \(new) and was \(old): what is sent there can be read on the way")
        } else if isSecure, !wasSecure {
            add(.endpointEncrypted, key, "\(key.path) is \(new) and was \(old)")
        } else if oldHost != newHost {
            add(.endpointChanged, key, "\(key.path) is \(new) and was \(old): another host")
        } else {
            return false
        }
        return true
    }

    private static func endpoint(_ text: String) -> (isSecure: Bool, host: String)? {
        for (start, isSecure) in [("https://", true), ("http://", false)] where text.hasPrefix(start) {
            return (isSecure, text.dropFirst(start.count).prefix { $0 != "/" }.lowercased())
        }
        return nil
    }

    // MARK: Functions and shows

    private mutating func tellFunction(_ key: KeyDifference) -> Bool {
        func isFunction(_ side: KeyDifference.Side) -> Bool { if case .opaque? = side.value { true } else { false } }
        guard key.sides.contains(where: isFunction) else { return false }
        let places = key.places.count == 2 ? key.places : []
        add(
            PendingChange(
                .handleChanged, market: id, path: key.path, values: key.sides.map { isFunction($0) ? "function" : "" },
                key.sides.allSatisfy(isFunction)
                    ? "\(key.path) has another text; what that does is not known"
                    : "\(key.path) \(isFunction(key.sides[1]) ? "is new" : "is gone"); what that does is not known",
                before: places.first ?? key.sides[0].position, after: places.last ?? key.sides[1].position))
        return true
    }

    /// What routables show, which stands in no key that markets are compared by.
    private mutating func tellShows() {
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
                        "\(path) is \(after?.written ?? "gone") and was \(before?.written ?? "not there")",
                        before: base.source.node(at: path)?.position, after: head.source.node(at: path)?.position))
            }
        }
    }

    // MARK: Overrides

    /// Values that a market writes and would inherit anyway, where it did not before.
    private mutating func tellRepeated() throws {
        guard head.definition.extends != nil else { return }
        func repeated(_ market: Market) throws -> [ConfigurationPath: MarketMatrix.Cell] {
            var cells: [ConfigurationPath: MarketMatrix.Cell] = [:]
            for row in try MarketMatrix([market], budget: budget).rows {
                if row.cells[0].state == .repeated { cells[row.path] = row.cells[0] }
            }
            return cells
        }
        // Whoever writes one of these decides it, also with the value that is there.
        let decided = Set(head.schema.declaration.identifyingKeys.map(\.path))
        let new = try repeated(head).filter { !decided.contains($0.key) }
        // Nearly always there is none, and the older side need not be asked.
        guard !new.isEmpty else { return }
        let old = try repeated(base)
        for (path, cell) in new.map({ ($0.key.description, $0) }).sorted(by: { $0.0 < $1.0 }).map(\.1)
        where old[path] == nil {
            add(
                PendingChange(
                    .overrideSame, market: id, path: path,
                    values: [head.definition.extends ?? "", cell.value?.written ?? ""],
                    "\(path) says what \(head.definition.extends ?? "its base") says: \(cell.value?.written ?? "")",
                    before: base.source.node(at: path)?.position, after: cell.position))
        }
    }
}
