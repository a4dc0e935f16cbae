import GlassBase

/// What an `assetlinks.json` file says of the apps that open the site's links.
struct ServedAssetLinks: Sendable {
    /// What the file says of one app.
    struct App: Sendable {
        var digests: Set<String> = []
        /// The dynamic rules that Android 15 reads; nil where there are none.
        var rules: [AndroidDynamicRule]?
        /// How many statements have dynamic rules for it.
        var ruleSets = 0
    }

    private(set) var apps: [String: App] = [:]

    /// Files that it names for Android to read as well.
    private(set) var includes: [String] = []

    /// What in the file Android does not understand: its key and a message.
    private(set) var problems: [(key: String, message: String)] = []

    /// Reads a file.
    init(_ json: StrictJSON, allowance: Allowance) throws(Allowance.Exceeded) {
        guard let statements = json.arrayValue else {
            problems.append(("", "expected a list of statements"))
            return
        }
        for (place, statement) in statements.enumerated() {
            try allowance.spend(16, on: .exporting)
            try add(statement, "[\(place)]", allowance)
        }
    }

    private mutating func add(
        _ statement: StrictJSON, _ key: String, _ allowance: Allowance
    ) throws(Allowance.Exceeded) {
        if let other = statement["include"] {
            includes.append(other.stringValue ?? "")
            return
        }
        guard let relations = statement["relation"]?.arrayValue, let target = statement["target"] else {
            problems.append((key, "expected a statement with a relation and a target"))
            return
        }
        guard relations.contains(where: { $0.stringValue == AssetLinks.relation }),
            target["namespace"]?.stringValue == "android_app"
        else { return }
        guard let name = target["package_name"]?.stringValue else {
            problems.append(("\(key).target.package_name", "expected a string"))
            return
        }
        var app = apps[name] ?? App()
        for (place, value) in (target["sha256_cert_fingerprints"]?.arrayValue ?? []).enumerated() {
            let text = value.stringValue ?? ""
            // Android compares the text: pairs of upper-case digits with colons.
            if let digest = SiteInputCheck.digest(text), digest == text {
                app.digests.insert(digest)
            } else {
                problems.append(
                    (
                        "\(key).target.sha256_cert_fingerprints[\(place)]",
                        "expected 32 pairs of upper-case hexadecimal digits with colons"
                    ))
            }
        }
        let extension_ = statement["relation_extensions"]?[AssetLinks.relation]?["dynamic_app_link_components"]
        if let extension_ {
            app.ruleSets += 1
            let path = "\(key).relation_extensions[\"\(AssetLinks.relation)\"].dynamic_app_link_components"
            app.rules = try rules(extension_, path, allowance)
        }
        apps[name] = app
    }

    /// The rules; nil where Android discards them, since one is malformed or there are none.
    private mutating func rules(
        _ json: StrictJSON, _ key: String, _ allowance: Allowance
    ) throws(Allowance.Exceeded) -> [AndroidDynamicRule]? {
        guard let values = json.arrayValue, !values.isEmpty else {
            problems.append((key, "expected a list of rules; Android discards an empty one"))
            return nil
        }
        var rules: [AndroidDynamicRule] = []
        var isDiscarded = false
        for (place, value) in values.enumerated() {
            try allowance.spend(8, on: .exporting)
            var rule = AndroidDynamicRule()
            var isKnown = value.members != nil
            for member in value.members ?? [] {
                switch (member.key, member.value) {
                case ("/", .string(let text)) where !text.isEmpty: rule.path = text
                case ("#", .string(let text)) where !text.isEmpty: rule.fragment = text
                case ("?", .object(let items)) where !items.isEmpty && items.allSatisfy { $0.value.stringValue != nil }:
                    rule.query = Dictionary(
                        items.map { ($0.key, $0.value.stringValue ?? "") }, uniquingKeysWith: { first, _ in first })
                case ("exclude", .boolean(let isExcluded)): rule.isExcluded = isExcluded
                case ("comment", _), ("comments", _): break
                default: isKnown = false
                }
            }
            if !isKnown {
                isDiscarded = true
                let message = "not a rule that Android knows, so it discards all dynamic rules of the statement"
                problems.append(("\(key)[\(place)]", message))
            }
            rules.append(rule)
        }
        return isDiscarded ? nil : rules
    }
}
