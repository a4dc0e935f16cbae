import GlassBase
import GlassMarkets
import GlassSchema

/// The comparison of what the app learns about users, and of the secrets that it needs.
extension MarketComparison {
    /// Reports a change of a key that concerns privacy. Returns whether the key does.
    mutating func reportPrivacy(_ key: KeyDifference) -> Bool {
        switch role(at: key.path) {
        case .notificationOptions?:
            return reportElements(key, .permissionAdded, .permissionRemoved) { "notifications with \($0)" }
        case .locationLevel?:
            return reportRank(key, ["whenInUse", "always"], .locationRaised, .locationLowered)
        case .backgroundLocation?:
            return reportRank(key, ["false", "true"], .backgroundOn, .backgroundOff)
        case .cookies?:
            return reportElements(key, .cookieAdded, .cookieRemoved) { "the cookie \($0)" }
        case .cookiePolicy?:
            return reportRank(key, ["never", "onlyFromMainDocumentDomain", "always"], .cookieAdded, .cookieRemoved)
        case .setsCookies?: return reportRank(key, ["false", "true"], .cookieAdded, .cookieRemoved)
        case .tracking?: return reportRank(key, ["false", "true"], .trackingAdded, .trackingRemoved)
        case .trackingShare?: return reportShare(key)
        case .eventSinks?:
            return reportElements(key, .trackingAdded, .trackingRemoved) { "events to \($0)" }
        default:
            if key.path == "deepLinking.queryParameters" {
                return reportElements(key, .trackingAdded, .trackingRemoved) { "links with \($0)" }
            }
            let attributes = head.schema.paths(.eventAttributes)
            guard attributes.contains(where: { key.path.elements.starts(with: $0.elements) }) else { return false }
            return reportAttribute(key)
        }
    }

    private mutating func reportElements(
        _ key: KeyDifference, _ more: ChangeRule, _ less: ChangeRule, _ name: (String) -> String
    ) -> Bool {
        let lists = ListChange(from: key.sides[0].value ?? .emptyTable, to: key.sides[1].value ?? .emptyTable)
        for (values, rule, word) in [(lists.added, more, "added to"), (lists.removed, less, "removed from")] {
            for value in values {
                let text = ListChange.identity(value).written
                // Each element is a separate change, regardless of the rest of the list.
                add(rule, key, subject: text, values: [], "\(name(text)): \(word) \(key.path)")
            }
        }
        return !lists.isEmpty
    }

    private mutating func reportRank(
        _ key: KeyDifference, _ order: [String], _ more: ChangeRule, _ less: ChangeRule
    ) -> Bool {
        func text(_ side: KeyDifference.Side) -> String? {
            switch side.value {
            case .string(let text)?: text
            case .boolean(let value)?: "\(value)"
            default: nil
            }
        }
        guard let old = text(key.sides[0]), let new = text(key.sides[1]), let one = order.firstIndex(of: old),
            let other = order.firstIndex(of: new)
        else { return false }
        add(other > one ? more : less, key, "\(key.path) changed from \(old) to \(new)")
        return true
    }

    private mutating func reportShare(_ key: KeyDifference) -> Bool {
        guard let old = key.sides[0].value, let new = key.sides[1].value else { return false }
        let text = "\(key.path) changed from \(old.written) to \(new.written)"
        switch ValueChange(from: old, to: new, sense: .higherIsLooser) {
        case .wider: add(.trackingAdded, key, text)
        case .narrower: add(.trackingRemoved, key, text)
        case .other: return false
        }
        return true
    }

    private mutating func reportAttribute(_ key: KeyDifference) -> Bool {
        switch (key.sides[0].value, key.sides[1].value) {
        case (nil, _?): add(.trackingAdded, key, "\(key.path) is now on each event")
        case (_?, nil): add(.trackingRemoved, key, "\(key.path) is no longer on events")
        default: return false
        }
        return true
    }

    // MARK: Attributes of users

    /// Reports the personal attributes that only one side has, and those that are personal on one side only.
    mutating func reportAttributes() {
        let (old, new) = (personal(base), personal(head))
        for name in Set(old).symmetricDifference(new).sorted() {
            let path = ConfigurationPath([.key("attributes"), .key(name)])
            let isNew = new.contains(name)
            let isKnown = (isNew ? base : head).attributes.contains { $0.name == name }
            let text =
                isNew
                ? isKnown ? "is personal now" : "is new, and personal"
                : isKnown ? "is no longer personal, so that pages and logs show its values" : "was removed"
            add(
                PendingChange(
                    isNew ? .attributeAdded : .attributeRemoved, isKnown ? .risky : nil, market: id, path: path,
                    values: [text], "the attribute \(name) \(text)",
                    before: base.origin.situations?.attributePositions[name],
                    after: head.origin.situations?.attributePositions[name]))
        }
    }

    private func personal(_ market: Market) -> [String] {
        market.attributes.filter(\.isPersonal).map(\.name)
    }

    // MARK: Secrets

    /// Whether a key holds a secret whose change is reported by name instead.
    func reportSecret(_ key: KeyDifference) -> Bool {
        guard key.isSecret else { return false }
        let (old, new) = (secrets(of: base.source), secrets(of: head.source))
        return zip(key.sides, [new, old]).contains { side, others in
            if case .secret(let secret)? = side.value { others[secret.name] == nil } else { false }
        }
    }

    /// Reports which secrets a deployment must have, or no longer needs.
    mutating func reportSecretNames() {
        let (old, new) = (secrets(of: base.source), secrets(of: head.source))
        func order(_ names: [String: (path: ConfigurationPath, position: SourcePosition?)]) -> [String] {
            names.keys.sorted()
        }
        var renamed: Set<String> = []
        for name in order(new) where old[name] == nil {
            guard let (path, position) = new[name] else { continue }
            // A removed and an added name at the same key are a renamed secret.
            let former = base.source.node(at: path)
            if case .secret(let secret)? = former?.value, new[secret.name] == nil {
                renamed.insert(secret.name)
                add(
                    PendingChange(
                        .secretRenamed, market: id, path: path, subject: name, values: [secret.name],
                        "the secret \(secret.name) of \(path) was renamed to \(name): deploy it first",
                        before: former?.position, after: position))
            } else {
                add(
                    PendingChange(
                        .secretAdded, market: id, path: path, subject: name,
                        "\(path) needs the secret \(name): deploy it first",
                        before: former?.position, after: position))
            }
        }
        for name in order(old) where new[name] == nil && !renamed.contains(name) {
            guard let (path, position) = old[name] else { continue }
            add(
                PendingChange(
                    .secretRemoved, market: id, path: path, subject: name, "the secret \(name) is no longer needed",
                    before: position, after: head.source.node(at: path)?.position))
        }
    }

    /// The names of the secrets, each with the first position that needs it.
    private func secrets(
        of source: ConfigurationNode
    ) -> [String: (path: ConfigurationPath, position: SourcePosition?)] {
        var found: [String: (path: ConfigurationPath, position: SourcePosition?)] = [:]
        source.visit(.lists) { visited in
            if case .secret(let secret) = visited.node.value, found[secret.name] == nil {
                found[secret.name] = (visited.path, visited.node.position)
            }
            return true
        }
        return found
    }
}
