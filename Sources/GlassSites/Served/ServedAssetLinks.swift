import GlassBase
import GlassSchema

/// The contents of an `assetlinks.json` file: the apps that may open the site's links.
struct ServedAssetLinks: Sendable {
    /// The statements about one app.
    struct App: Sendable {
        var digests: Set<String> = []
        /// Whether a value of the wrong type may hide a certificate.
        var mayHideDigests = false
        /// The dynamic rules that Android 15 reads; nil if there are none.
        var rules: [AndroidDynamicRule]?
        /// The size of the rules in bytes.
        var size = 0
        /// The number of statements with dynamic rules for the app.
        var ruleSets = 0
    }

    private(set) var apps: [String: App] = [:]

    /// Other files that Android also reads.
    private(set) var includes: [String] = []

    /// The values that Android does not understand.
    private let findings: ServedFileFindings

    /// Whether a value of the wrong type may hide the name of an app.
    private(set) var mayHideApps = false

    /// Parses a file.
    init(_ json: StrictJSON, budget: WorkBudget, findings: ServedFileFindings) throws(WorkBudget.Exceeded) {
        self.findings = findings
        guard let statements = json.arrayValue else {
            findings.addType(of: json, "", expected: "a list of statements", .error)
            mayHideApps = true
            return
        }
        for (place, statement) in statements.enumerated() {
            try budget.spend(16, on: .comparing)
            try add(statement, "[\(place)]", budget)
        }
    }

    private mutating func add(
        _ statement: StrictJSON, _ key: String, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        guard statement.members != nil else {
            return hidden(statement, key, expected: "an object with a relation and a target")
        }
        if let other = statement["include"] {
            guard let text = other.stringValue else {
                // Whether such a statement still counts is unknown.
                mayHideApps = true
                return findings.addType(of: other, "\(key).include", expected: "a string")
            }
            if includes.count < SiteFindings.maximumOfACode { includes.append(text.shortenedForFinding) }
            return
        }
        guard let listed = statement["relation"], let target = statement["target"] else {
            return findings.add(malformed: key, "expected a statement with a relation and a target")
        }
        let (relations, isWhole) = findings.texts(listed, "\(key).relation", .error)
        if !isWhole { mayHideApps = true }
        guard target.members != nil else {
            return hidden(target, "\(key).target", expected: "an object with a namespace")
        }
        if let namespace = target["namespace"], namespace.stringValue == nil {
            return hidden(namespace, "\(key).target.namespace", expected: "a string")
        }
        guard relations.contains(AssetLinks.relation), target["namespace"]?.stringValue == "android_app" else { return }
        guard let package = target["package_name"] else {
            return findings.add(
                malformed: "\(key).target.package_name", "the key is missing: expected the name of the app")
        }
        guard let name = package.stringValue else {
            return hidden(package, "\(key).target.package_name", expected: "a string")
        }
        var app = apps[name] ?? App()
        readDigests(target["sha256_cert_fingerprints"], "\(key).target.sha256_cert_fingerprints", &app)
        try readRules(statement["relation_extensions"], "\(key).relation_extensions", &app, budget)
        apps[name] = app
    }

    /// Reports a value of the wrong type that may hide the name of an app.
    private mutating func hidden(_ value: StrictJSON, _ key: String, expected: String) {
        mayHideApps = true
        findings.addType(of: value, key, expected: expected, .error)
    }

    private mutating func readDigests(_ listed: StrictJSON?, _ key: String, _ app: inout App) {
        guard let listed else {
            return findings.add(malformed: key, "the key is missing: expected a list of certificates")
        }
        guard let values = listed.arrayValue else {
            app.mayHideDigests = true
            return findings.addType(of: listed, key, expected: "a list of strings", .error)
        }
        for (place, value) in values.enumerated() {
            guard let text = value.stringValue else {
                app.mayHideDigests = true
                findings.addType(of: value, "\(key)[\(place)]", expected: "a string", .error)
                continue
            }
            // Android compares strings: pairs of uppercase digits with colons.
            if let digest = SiteInputCheck.digest(text), digest == text {
                app.digests.insert(digest)
            } else {
                findings.add(
                    malformed: "\(key)[\(place)]", "expected 32 pairs of uppercase hexadecimal digits with colons")
            }
        }
    }

    private mutating func readRules(
        _ extensions: StrictJSON?, _ key: String, _ app: inout App, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        guard let extensions else { return }
        guard extensions.members != nil else { return findings.addType(of: extensions, key, expected: "an object") }
        let key = "\(key)[\"\(AssetLinks.relation)\"]"
        guard let own = extensions[AssetLinks.relation] else { return }
        guard own.members != nil else { return findings.addType(of: own, key, expected: "an object") }
        guard let listed = own["dynamic_app_link_components"] else { return }
        app.ruleSets += 1
        app.rules = try rules(listed, "\(key).dynamic_app_link_components", budget)
        app.size = (app.rules ?? []).reduce(0) { $0 + $1.size }
    }

    /// The rules; nil if Android discards them because one is malformed or the list is empty.
    private mutating func rules(
        _ json: StrictJSON, _ key: String, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [AndroidDynamicRule]? {
        guard let values = json.arrayValue else {
            findings.addType(of: json, key, expected: "a list of rules")
            return nil
        }
        guard !values.isEmpty else {
            findings.add(malformed: key, "expected a list of rules; Android discards an empty one")
            return nil
        }
        var rules: [AndroidDynamicRule] = []
        var isDiscarded = false
        for (place, value) in values.enumerated() {
            try budget.spend(8, on: .comparing)
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
                let message = "is not a valid rule, so Android discards all dynamic rules of the statement"
                findings.add(malformed: "\(key)[\(place)]", message)
            }
            rules.append(rule)
        }
        return isDiscarded ? nil : rules
    }
}
