import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassSchema

/// What the files of apps and sites say: property lists, build settings, associations, and manifests.
extension MarketImport {
    /// Names that the systems define, with the keys that they mean.
    private static let known: [String: ConfigurationPath] = [
        "CFBundleDisplayName": "platform.appInfo.name",
        "CFBundleIdentifier": "platform.appInfo.bundleIdentifier",
        "CFBundleShortVersionString": "platform.appInfo.version",
        "CFBundleVersion": "platform.appInfo.build",
        "LSApplicationQueriesSchemes": "deepLinking.outboundSchemes",
        "com.apple.developer.team-identifier": "platform.appInfo.teamIdentifier",
        "PRODUCT_BUNDLE_IDENTIFIER": "platform.appInfo.bundleIdentifier",
        "MARKETING_VERSION": "platform.appInfo.version",
        "CURRENT_PROJECT_VERSION": "platform.appInfo.build",
        "DEVELOPMENT_TEAM": "platform.appInfo.teamIdentifier",
        "INFOPLIST_KEY_CFBundleDisplayName": "platform.appInfo.name",
    ]

    /// Adds a value whose name the systems define.
    ///
    /// - Returns: Whether it is one, and the module has the key.
    private mutating func addKnown(_ name: String, _ json: StrictJSON, _ file: ImportFile) throws -> Bool {
        guard let path = Self.known[name], let type = keys.declaration.type(at: path) else { return false }
        if case .string(let text) = json, text.contains("$(") || text.contains("${") {
            try lose(
                file, [name], "the value contains a build setting, \(text.quotedForMessage)",
                hint: "import the built app's file")
            return true
        }
        var json = json
        if case .integer = type, let text = json.stringValue, let number = Int(text) {
            json = .integer(StrictJSON.Integer(number))
        }
        try set((path, type), json, file, [name], .mapped)
        return true
    }

    /// Adds the settings of an `.xcconfig` file.
    mutating func addSettings(_ file: ImportFile) throws {
        for member in file.tree.members ?? [] {
            guard try !addKnown(member.key, member.value, file) else { continue }
            if member.key.hasPrefix("#") {
                try lose(file, [member.key], "the other file is not read", hint: "import it, too")
            } else if member.key.contains("[") {
                try lose(
                    file, [member.key], "the setting holds only for some builds",
                    hint: "write an overlay with a condition, such as { build = \"debug\" }")
            } else if member.value.stringValue?.contains("$(") == true {
                try lose(file, [member.key], "the value contains another setting", hint: "write it out")
            } else {
                try addTree(member.value, [member.key], file)
            }
        }
    }

    /// Adds an `Info.plist`, or the entitlements of an app.
    mutating func addInfo(_ file: ImportFile) throws {
        for member in file.tree.members ?? [] {
            guard try !addKnown(member.key, member.value, file) else { continue }
            let values = member.value.arrayValue ?? []
            let texts = values.compactMap(\.stringValue)
            switch member.key {
            case "CFBundleURLTypes":
                let schemes = values.flatMap { $0["CFBundleURLSchemes"]?.arrayValue ?? [] }.compactMap(\.stringValue)
                try addList(schemes, to: "deepLinking.schemes", file, member.key, .mapped)
            case "com.apple.developer.associated-domains":
                var hosts: [String] = []
                for text in texts {
                    let name = String(text.dropFirst("applinks:".count))
                    if !text.hasPrefix("applinks:") {
                        try lose(file, [member.key, text], "only applinks are links")
                    } else if name.contains("?") {
                        try lose(file, [member.key, text], "a market lists hosts, without modes")
                    } else {
                        hosts.append(name.lowercased())
                    }
                }
                try addList(hosts, to: "deepLinking.universalLinks", file, member.key, .mapped)
            case "com.apple.security.application-groups":
                guard let first = texts.first, texts.count == 1 else {
                    try lose(file, [member.key], "expected one group, which the app and its extensions share")
                    continue
                }
                for path in ["platform.preferences.suite", "platform.userDefaultsRegistration.suite"]
                    as [ConfigurationPath]
                {
                    guard let type = keys.declaration.type(at: path) else { continue }
                    try set((path, type), .string(first), file, [member.key], .guessed, "the app's only group")
                }
            default: try addTree(member.value, [member.key], file)
            }
        }
    }

    /// Adds the strings of a list that several files may contribute to.
    mutating func addList(
        _ texts: [String], to path: ConfigurationPath, _ file: ImportFile, _ source: String,
        _ status: ImportEntry.Status
    ) throws {
        guard case .list(let element, _, _)? = keys.declaration.type(at: path) else { return }
        for text in texts {
            do {
                let (value, _) = try converted(
                    .string(text), as: element, at: path.appending(index: 1), isUntyped: false)
                try append(value, to: path, file, [source, text], status)
            } catch let error as ValueConversion.Mismatch {
                try lose(file, [source, text], error.message, hint: "the key is \(path)")
            }
        }
    }

    // MARK: Apple's and Android's associations

    /// Adds an apple-app-site-association file.
    mutating func addAssociation(_ file: ImportFile) throws {
        for member in file.tree.members ?? [] where member.key != "applinks" {
            try lose(file, [member.key], "it is not about links")
        }
        let links = file.tree["applinks"]
        var details: [(app: String?, source: String, value: StrictJSON)] = []
        switch links?["details"] {
        case .array(let values)?:
            details = values.enumerated().map { (nil, "details[\($0.offset)]", $0.element) }
        case .object(let members)?: details = members.map { ($0.key, "details.\($0.key)", $0.value) }
        default: return try lose(file, ["applinks"], "it has no details")
        }
        let variables = links?["substitutionVariables"]
        for detail in details {
            let own = detail.value["appIDs"]?.arrayValue ?? detail.value["appID"].map { [$0] } ?? []
            let apps = detail.app.map { [$0] } ?? own.compactMap(\.stringValue)
            for app in apps { try addApp(app, file, detail.source) }
            if let components = detail.value["components"]?.arrayValue {
                for (index, component) in components.enumerated() {
                    try addComponent(component, file, "\(detail.source).components[\(index)]", variables)
                }
            } else {
                for path in detail.value["paths"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
                    let source = "\(detail.source).paths: \(path)"
                    if path.hasPrefix("NOT ") {
                        try addExcluded(String(path.dropFirst("NOT ".count)), file, source)
                    } else {
                        try addRoute(.apple(path, variables), [], file, source)
                    }
                }
            }
        }
    }

    /// The relation of apps that open a site's links.
    private static let relation = "delegate_permission/common.handle_all_urls"
    private static let excluded = "a market lists what opens the app; paths without a route do not"

    /// Adds a path that the file excludes to those that stay in the browser, if it has a form that can stay there.
    ///
    /// It is a guess, because an exclusion has no effect on the links that an earlier entry claims.
    private mutating func addExcluded(_ path: String?, _ file: ImportFile, _ source: String) throws {
        guard let path, path.hasPrefix("/"), BrowserPath.isValid(path) else {
            return try lose(file, [source], Self.excluded)
        }
        try addList([path == "/" ? path : String(path.dropFirst())], to: "deepLinking.browser", file, source, .guessed)
    }

    private mutating func addApp(_ app: String, _ file: ImportFile, _ source: String) throws {
        guard let dot = app.firstIndex(of: ".") else {
            return try lose(file, ["\(source).appIDs: \(app)"], "expected TEAM.BUNDLE")
        }
        for (path, text) in [
            ("platform.appInfo.teamIdentifier", app[..<dot]),
            ("platform.appInfo.bundleIdentifier", app[app.index(after: dot)...]),
        ] as [(ConfigurationPath, Substring)] {
            guard let type = keys.declaration.type(at: path) else { continue }
            try set((path, type), .string(String(text)), file, ["\(source).appIDs: \(app)"], .mapped)
        }
    }

    /// Adds a rule of Apple's components, or of Android's dynamic ones.
    private mutating func addComponent(
        _ component: StrictJSON, _ file: ImportFile, _ source: String, _ variables: StrictJSON?
    ) throws {
        if component["exclude"]?.boolValue == true {
            let isOfPath = component["?"] == nil && component["#"] == nil
            return try addExcluded(isOfPath ? component["/"]?.stringValue : nil, file, source)
        }
        if component["#"] != nil {
            return try lose(file, [source], "a route cannot depend on the part of a link after #")
        }
        var required: [String] = []
        switch component["?"] {
        case .object(let items)?:
            for item in items {
                guard item.value.stringValue == "*" || item.value.stringValue == "?*" else {
                    return try lose(
                        file, [source],
                        "a route cannot depend on the value of the query item \(item.key.quotedForMessage)")
                }
                required.append(item.key)
            }
        case .string(let text)? where text != "*":
            return try lose(file, [source], "a route cannot depend on the text of the query")
        default: break
        }
        let path = component["/"]?.stringValue ?? "*"
        try addRoute(.apple(path, variables), required, file, "\(source): \(path)")
    }

    /// Adds an assetlinks.json file.
    mutating func addAssetLinks(_ file: ImportFile) throws {
        for (index, statement) in (file.tree.arrayValue ?? []).enumerated() {
            let source = "[\(index)]"
            let relations = statement["relation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let target = statement["target"]
            guard relations.contains(Self.relation), target?["namespace"]?.stringValue == "android_app" else {
                try lose(file, [source], "it is not about links that open an Android app")
                continue
            }
            for (path, json) in [
                ("platform.appInfo.android.package", target?["package_name"]),
                ("platform.appInfo.android.certificateDigests", target?["sha256_cert_fingerprints"]),
            ] as [(ConfigurationPath, StrictJSON?)] {
                guard let json, let type = keys.declaration.type(at: path) else { continue }
                let name = path.lastKey == "package" ? "package_name" : "sha256_cert_fingerprints"
                try set((path, type), json, file, [source, "target", name], .mapped)
            }
            let rules = statement["relation_extensions"]?[Self.relation]?["dynamic_app_link_components"]
            for (number, rule) in (rules?.arrayValue ?? []).enumerated() {
                try addComponent(rule, file, "\(source).dynamic_app_link_components[\(number)]", nil)
            }
        }
    }

    /// Adds the intent filters of an Android manifest.
    mutating func addManifest(_ file: ImportFile) throws {
        let package = "platform.appInfo.android.package" as ConfigurationPath
        if let name = file.tree["attributes"]?["package"], let type = keys.declaration.type(at: package) {
            try set((package, type), name, file, ["manifest.package"], .mapped)
        }
        func visit(_ element: StrictJSON) throws {
            if element["name"]?.stringValue == "intent-filter" { return try addFilter(element, file) }
            for child in element["children"]?.arrayValue ?? [] { try visit(child) }
        }
        try visit(file.tree)
    }

    private mutating func addFilter(_ filter: StrictJSON, _ file: ImportFile) throws {
        let children = filter["children"]?.arrayValue ?? []
        func names(_ kind: String) -> [String] {
            children.filter { $0["name"]?.stringValue == kind }
                .compactMap { $0["attributes"]?["android:name"]?.stringValue }
        }
        let source = "intent-filter in line \(filter["line"]?.intValue ?? 0)"
        guard names("action").contains("android.intent.action.VIEW"),
            names("category").contains("android.intent.category.BROWSABLE")
        else { return }
        // Android combines the attributes of all data elements of a filter.
        var attributes: [String: [String]] = [:]
        for data in children where data["name"]?.stringValue == "data" {
            for attribute in data["attributes"]?.members ?? [] {
                guard let text = attribute.value.stringValue, attribute.key.hasPrefix("android:") else { continue }
                let name = String(attribute.key.dropFirst("android:".count))
                guard !text.hasPrefix("@"), !text.contains("${") else {
                    try lose(
                        file, [source, name], "the value is a reference, \(text.quotedForMessage)",
                        hint: "import the built app's manifest")
                    continue
                }
                if attributes[name]?.contains(text) != true { attributes[name, default: []].append(text) }
            }
        }
        let schemes = attributes["scheme"] ?? []
        let own = schemes.filter { $0 != "http" && $0 != "https" }
        try addList(own, to: "deepLinking.schemes", file, "\(source), scheme", .mapped)
        let isWeb = own.count < schemes.count
        let hosts = attributes["host"] ?? []
        if isWeb {
            func isTooWide(_ host: String) -> Bool { host.hasPrefix("*") && !UniversalHost(host).isWildcard }
            let whole = hosts.filter { !isTooWide($0) }
            for host in hosts where isTooWide(host) {
                try lose(
                    file, ["\(source), host \(host)"], "a market's wildcard stands for whole labels: *.walmart.ca")
            }
            try addList(
                whole.map { $0.lowercased() }, to: "deepLinking.universalLinks", file, "\(source), host", .mapped)
        }
        // A custom scheme's host is the first part of the path; a filter for both kinds means a site's host.
        let starts = isWeb || hosts.isEmpty ? [""] : hosts.map { "/\($0)" }
        let kinds = ["path", "pathPrefix", "pathPattern", "pathSuffix", "pathAdvancedPattern"]
        var isAny = true
        for kind in kinds {
            for path in attributes[kind] ?? [] {
                isAny = false
                for start in starts {
                    try addRoute(
                        .android(kind, start + (path.hasPrefix("/") ? path : "/\(path)")), [], file,
                        "\(source), \(kind) \(path)")
                }
            }
        }
        if isAny, !isWeb {
            for start in starts where !start.isEmpty {
                try addRoute(.android("path", start), [], file, "\(source), host \(start.dropFirst())")
            }
        } else if isAny {
            try lose(file, [source], "it claims every path of its hosts", hint: "list the routes in routables")
        }
    }
}
