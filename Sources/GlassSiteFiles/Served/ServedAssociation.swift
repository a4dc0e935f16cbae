import GlassBase

/// What an `apple-app-site-association` file says of universal links.
///
/// It takes every form that devices read: `components` with defaults and variables (iOS 13), and `paths` with `NOT`,
/// `details` as a list or as an object by app.
struct ServedAssociation: Sendable {
    /// A block of the file.
    struct Block: Sendable {
        var apps: [String]
        var patterns: [ServedPattern]
    }

    private(set) var blocks: [Block] = []

    /// What in the file devices do not understand: its key and a message.
    private(set) var problems: [(key: String, message: String)] = []

    private var variables: [String: [String]]

    /// Apple defines these two by the lists of ISO codes; here they are any two or three characters, so that a pattern
    /// with one is never said to miss a link that it takes.
    private static let predefined = ["region": ["??"], "lang": ["??", "???"]]

    /// The patterns for an app in the order in which they decide.
    func patterns(of app: String) -> [ServedPattern]? {
        let own = blocks.filter { $0.apps.contains(app) }
        return own.isEmpty ? nil : own.flatMap(\.patterns)
    }

    /// The identifiers of apps that the file names.
    var apps: [String] { blocks.flatMap(\.apps) }

    /// Reads a file.
    init(_ json: StrictJSON, allowance: Allowance) throws(Allowance.Exceeded) {
        variables = Self.predefined
        guard let links = json["applinks"] else {
            problems.append(("applinks", "there is no such key, so no link is a universal link"))
            return
        }
        let named = links["substitutionVariables"]
        for member in named?.members ?? [] {
            let values = member.value.arrayValue?.map(\.stringValue)
            if let values, values.allSatisfy({ $0 != nil }) {
                variables[member.key] = values.compactMap(\.self)
            } else {
                problems.append(("applinks.substitutionVariables.\(member.key)", "expected a list of strings"))
            }
        }
        let defaults = Settings(links["defaults"])
        switch links["details"] {
        case .array(let details)?:
            for (place, detail) in details.enumerated() {
                try add(detail, apps: nil, defaults, "applinks.details[\(place)]", allowance)
            }
        case .object(let details)?:
            for detail in details {
                try add(detail.value, apps: [detail.key], defaults, "applinks.details.\(detail.key)", allowance)
            }
        default: problems.append(("applinks.details", "expected a list of apps and their components"))
        }
    }

    /// `caseSensitive` and `percentEncoded`, which three levels of the file can say.
    private struct Settings {
        var isCaseSensitive = true
        var isPercentEncoded = true

        init(_ json: StrictJSON?, else other: Settings? = nil) {
            isCaseSensitive = json?["caseSensitive"]?.boolValue ?? other?.isCaseSensitive ?? true
            isPercentEncoded = json?["percentEncoded"]?.boolValue ?? other?.isPercentEncoded ?? true
        }
    }

    private mutating func add(
        _ detail: StrictJSON, apps: [String]?, _ defaults: Settings, _ key: String, _ allowance: Allowance
    ) throws(Allowance.Exceeded) {
        let settings = Settings(detail["defaults"], else: defaults)
        let listed = detail["appIDs"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let apps = apps ?? (listed + [detail["appID"]?.stringValue].compactMap(\.self))
        if apps.isEmpty { problems.append((key, "names no app: expected appIDs, a list of TEAM.BUNDLE")) }
        var patterns: [ServedPattern] = []
        // Where there are components, devices since iOS 13 ignore paths.
        if let components = detail["components"] {
            for (place, component) in (components.arrayValue ?? []).enumerated() {
                try allowance.spend(8, on: .exporting)
                pattern(component, settings, "\(key).components[\(place)]").map { patterns.append($0) }
            }
            if components.arrayValue == nil { problems.append(("\(key).components", "expected a list")) }
        } else if let paths = detail["paths"]?.arrayValue {
            for (place, path) in paths.enumerated() {
                try allowance.spend(8, on: .exporting)
                guard let text = path.stringValue else {
                    problems.append(("\(key).paths[\(place)]", "expected a string"))
                    continue
                }
                let isExcluded = text.hasPrefix("NOT ")
                var pattern = ServedPattern(isExcluded: isExcluded)
                pattern.path = compiled(isExcluded ? String(text.dropFirst(4)) : text, Settings(nil), in: &pattern)
                patterns.append(pattern)
            }
        } else {
            problems.append((key, "has neither components nor paths, so none of its links open the app"))
        }
        try allowance.hold(bytes: patterns.reduce(0) { $0 + 64 * $1.size }, for: .exporting)
        blocks.append(Block(apps: apps, patterns: patterns))
    }

    private mutating func pattern(_ json: StrictJSON, _ defaults: Settings, _ key: String) -> ServedPattern? {
        guard let members = json.members else {
            problems.append((key, "expected an object with \"/\", \"?\" or \"#\""))
            return nil
        }
        let settings = Settings(json, else: defaults)
        var pattern = ServedPattern(
            isCaseSensitive: settings.isCaseSensitive, isPercentEncoded: settings.isPercentEncoded)
        for member in members {
            switch (member.key, member.value) {
            case ("/", .string(let text)): pattern.path = compiled(text, settings, in: &pattern)
            case ("#", .string(let text)): pattern.fragment = compiled(text, settings, in: &pattern)
            case ("?", .string(let text)): pattern.query = .whole(compiled(text, settings, in: &pattern))
            case ("?", .object(let items)) where items.allSatisfy({ $0.value.stringValue != nil }):
                pattern.query = .items(
                    items.map { ($0.key, compiled($0.value.stringValue ?? "*", settings, in: &pattern)) })
            case ("exclude", .boolean(let isExcluded)): pattern.isExcluded = isExcluded
            case ("comment", _), ("caseSensitive", .boolean), ("percentEncoded", .boolean): break
            case ("/", _), ("#", _): problems.append(("\(key)[\"\(member.key)\"]", "expected a string"))
            case ("?", _): problems.append(("\(key)[\"?\"]", "expected a string, or an object of strings"))
            case ("exclude", _), ("caseSensitive", _), ("percentEncoded", _):
                problems.append(("\(key).\(member.key)", "expected true or false"))
            default: problems.append(("\(key).\(member.key)", "no such key: devices ignore it"))
            }
        }
        if let text = json["/"]?.stringValue, !text.isEmpty, !"/*?$".contains(text.prefix(1)) {
            problems.append(("\(key)[\"/\"]", "\"\(text)\" matches nothing, as every path begins with a slash"))
        }
        return pattern
    }

    private func compiled(_ text: String, _ settings: Settings, in pattern: inout ServedPattern) -> SitePattern {
        let compiled = SitePattern(text, variables: variables, isCaseSensitive: settings.isCaseSensitive)
        pattern.size += compiled.size
        return compiled
    }
}
