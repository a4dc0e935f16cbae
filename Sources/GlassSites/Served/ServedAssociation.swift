import GlassBase
import GlassSchema

/// The universal links in an `apple-app-site-association` file.
///
/// Accepts every form that devices read: `components` with defaults and variables (iOS 13), `paths` with `NOT`, and
/// `details` as a list or as an object keyed by app.
struct ServedAssociation: Sendable {
    /// A block of the file.
    struct Block: Sendable {
        var apps: [String]
        var components: [AssociationComponent]
    }

    private(set) var blocks: [Block] = []

    /// The values that devices do not understand.
    private let findings: ServedFileFindings

    /// Whether a value of the wrong type may hide the name of an app.
    private(set) var mayHideApps = false

    /// The size of the compiled patterns in bytes. The owner returns it to the budget when it releases the file.
    private(set) var size = 0

    private var variables = SiteVariables()
    /// The variables with a value of the wrong type. How devices interpret them is unknown.
    private var openVariables: Set<String> = []
    private var defaults: [StrictJSON] = []

    /// The components for an app, in the order of precedence; nil if the file does not name the app.
    func matcher(of app: String) -> AssociationMatcher? {
        let own = blocks.filter { $0.apps.contains(app) }
        return own.isEmpty ? nil : AssociationMatcher(own.flatMap(\.components))
    }

    /// The app identifiers that the file names.
    var apps: [String] { blocks.flatMap(\.apps) }

    /// Parses a file.
    init(_ json: StrictJSON, budget: WorkBudget, findings: ServedFileFindings) throws(WorkBudget.Exceeded) {
        self.findings = findings
        guard json.members != nil else {
            findings.addType(of: json, "", expected: "an object with applinks", .error)
            mayHideApps = true
            return
        }
        guard let links = json["applinks"] else {
            findings.add(malformed: "applinks", "the key is missing, so no link is a universal link")
            return
        }
        guard links.members != nil else {
            findings.addType(of: links, "applinks", expected: "an object with details", .error)
            mayHideApps = true
            return
        }
        if let apps = links["apps"], apps.arrayValue == nil {
            findings.addType(of: apps, "applinks.apps", expected: "an empty list")
        }
        readVariables(links["substitutionVariables"])
        readDefaults(links["defaults"], "applinks.defaults")
        switch links["details"] {
        case .array(let details)?:
            for (place, detail) in details.enumerated() {
                try add(detail, app: nil, "applinks.details[\(place)]", budget)
            }
        case .object(let details)?:
            findings.add(
                malformed: "applinks.details",
                "is an object, as before iOS 9; expected a list of apps and their components")
            for detail in details {
                try add(
                    detail.value, app: detail.key, "applinks.details[\"\(detail.key.shortenedForFinding)\"]", budget)
            }
        case let details?:
            findings.addType(of: details, "applinks.details", expected: "a list of apps and their components", .error)
            mayHideApps = true
        case nil:
            findings.add(
                malformed: "applinks.details", "the key is missing: expected a list of apps and their components")
        }
    }

    private mutating func readVariables(_ json: StrictJSON?) {
        guard let json else { return }
        guard let members = json.members else {
            return findings.addType(
                of: json, "applinks.substitutionVariables", expected: "an object of lists of strings")
        }
        var named: [String: [String]] = [:]
        for member in members {
            let key = "applinks.substitutionVariables.\(member.key.shortenedForFinding)"
            let (texts, isWhole) = findings.texts(member.value, key)
            named[member.key] = member.value.stringValue.map { [$0] } ?? texts
            if !isWhole { openVariables.insert(member.key) }
        }
        variables = SiteVariables(named)
    }

    private mutating func readDefaults(_ json: StrictJSON?, _ key: String) {
        guard let json else { return }
        guard json.members != nil else { return findings.addType(of: json, key, expected: "an object") }
        check(json, key)
        defaults.insert(json, at: 0)
    }

    private mutating func add(
        _ detail: StrictJSON, app: String?, _ key: String, _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(8, on: .comparing)
        guard detail.members != nil else {
            findings.addType(of: detail, key, expected: "an object with appIDs and components", .error)
            mayHideApps = true
            return
        }
        let apps = app.map { [$0] } ?? apps(of: detail, key)
        let outer = defaults
        defer { defaults = outer }
        readDefaults(detail["defaults"], "\(key).defaults")
        var components: [AssociationComponent] = []
        // Devices since iOS 13 ignore paths if there are components.
        if let listed = detail["components"] {
            guard let values = listed.arrayValue else {
                findings.addType(of: listed, "\(key).components", expected: "a list of objects", .error)
                return blocks.append(Block(apps: apps, components: []))
            }
            for (place, component) in values.enumerated() {
                let key = "\(key).components[\(place)]"
                guard component.members != nil else {
                    findings.addType(of: component, key, expected: "an object with \"/\", \"?\", or \"#\"")
                    continue
                }
                check(component, key)
                components.append(try compiled(contents(of: component), budget))
            }
        } else if let listed = detail["paths"] {
            for path in findings.texts(listed, "\(key).paths", listed.arrayValue == nil ? .error : .warning).texts {
                components.append(try compiled(contents(ofPath: path), budget))
            }
        } else {
            findings.add(malformed: key, "has neither components nor paths, so none of its links open the app")
        }
        blocks.append(Block(apps: apps, components: components))
    }

    private mutating func apps(of detail: StrictJSON, _ key: String) -> [String] {
        // If there are appIDs, appID is ignored.
        if let listed = detail["appIDs"] {
            let (texts, isWhole) = findings.texts(listed, "\(key).appIDs", .error)
            if !isWhole { mayHideApps = true }
            if isWhole, texts.isEmpty {
                findings.add(malformed: "\(key).appIDs", "names no app: expected a list of TEAM.BUNDLE")
            }
            return texts
        }
        guard let single = detail["appID"] else {
            findings.add(malformed: key, "names no app: expected appIDs, a list of TEAM.BUNDLE")
            return []
        }
        if let text = single.stringValue { return [text] }
        findings.addType(of: single, "\(key).appID", expected: "a string", .error)
        mayHideApps = true
        return []
    }

    private mutating func compiled(
        _ contents: [AssociationComponent.Content], _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> AssociationComponent {
        try budget.spend(8, on: .comparing)
        let component = try AssociationComponent(
            contents, variables: variables, budget: budget, on: .comparing)
        size += component.size
        return component
    }

    /// Reports the problems of a component or of defaults, which have the same keys.
    private mutating func check(_ json: StrictJSON, _ key: String) {
        for member in json.members ?? [] {
            switch (member.key, member.value) {
            case ("/", .string(let text)):
                if AssociationComponent.hasEmptySegment(text) {
                    findings.add(
                        malformed: "\(key)[\"/\"]",
                        "contains //, and it is unknown how devices match it: it may match any link")
                }
            case ("#", .string), ("?", .string): break
            case ("?", .object(let items)):
                for item in items where item.value.stringValue == nil {
                    findings.add(
                        malformed: "\(key)[\"?\"][\"\(item.key.shortenedForFinding)\"]",
                        "expected a string, got \(item.value.typeName): devices therefore ignore all of \"?\"")
                }
            case ("exclude", .boolean), ("comment", _), ("caseSensitive", .boolean), ("percentEncoded", .boolean): break
            case ("/", let value), ("#", let value):
                findings.addType(of: value, "\(key)[\"\(member.key)\"]", expected: "a string")
            case ("?", let value):
                findings.addType(of: value, "\(key)[\"?\"]", expected: "a string or an object of strings")
            case ("exclude", let value), ("caseSensitive", let value), ("percentEncoded", let value):
                findings.addType(of: value, "\(key).\(member.key)", expected: "true or false")
            default:
                findings.add(malformed: "\(key).\(member.key.shortenedForFinding)", "unknown key: devices ignore it")
            }
        }
    }

    private func hasOpenVariable(_ text: String) -> Bool {
        !openVariables.isEmpty && !openVariables.isDisjoint(with: SitePattern.names(in: text.unicodeScalars))
    }

    /// The value of a component's key: its own, or that of the nearest defaults.
    private func value(_ key: String, of component: StrictJSON?) -> StrictJSON? {
        component?[key] ?? defaults.lazy.compactMap { $0[key] }.first
    }

    /// The ways in which devices may interpret a component: one, unless a value has a type for which no behavior was
    /// recorded.
    private func contents(of component: StrictJSON?) -> [AssociationComponent.Content] {
        var contents = [AssociationComponent.Content()]
        func vary<Value>(
            _ key: String, _ property: WritableKeyPath<AssociationComponent.Content, Value>,
            _ read: (StrictJSON) -> [Value]
        ) {
            guard let value = value(key, of: component) else { return }
            let values = read(value)
            contents = contents.flatMap { content in
                values.map {
                    var content = content
                    content[keyPath: property] = $0
                    return content
                }
            }
        }
        func boolean(_ value: StrictJSON) -> [Bool] { value.boolValue.map { [$0] } ?? [false, true] }
        var isOpen = false
        func text(_ value: StrictJSON) -> [String?] {
            if value.stringValue.map(hasOpenVariable) ?? true { isOpen = true }
            return [value.stringValue]
        }
        vary("exclude", \.isExcluded, boolean)
        vary("caseSensitive", \.isCaseSensitive, boolean)
        vary("percentEncoded", \.isPercentEncoded, boolean)
        vary("/", \.path, text)
        vary("#", \.fragment, text)
        vary("?", \.query) { value in
            switch value {
            case .string(let text):
                if hasOpenVariable(text) { isOpen = true }
                return [.whole(text)]
            case .object(let items):
                let texts = items.compactMap { item in item.value.stringValue.map { (name: item.key, value: $0) } }
                if texts.contains(where: { hasOpenVariable($0.value) }) { isOpen = true }
                // A single value that is not a string discards all items.
                return [texts.count == items.count ? .items(texts) : .any]
            default:
                isOpen = true
                return [.any]
            }
        }
        if isOpen {
            var never = AssociationComponent.Content()
            never.isNever = true
            contents.append(never)
        }
        return contents
    }

    /// The ways in which devices may interpret an entry of `paths`: it is not recorded whether defaults apply to it.
    private func contents(ofPath text: String) -> [AssociationComponent.Content] {
        let isExcluded = text.hasPrefix("NOT ")
        let path = isExcluded ? String(text.dropFirst(4)) : text
        let plain = AssociationComponent.Content(path: path, isExcluded: isExcluded)
        var own = [plain]
        if hasOpenVariable(path) {
            var never = AssociationComponent.Content()
            never.isNever = true
            own.append(never)
        }
        guard !defaults.isEmpty else { return own }
        return own
            + contents(of: nil).map { content in
                var content = content
                content.path = path
                content.isExcluded = isExcluded
                return content
            }
    }
}
