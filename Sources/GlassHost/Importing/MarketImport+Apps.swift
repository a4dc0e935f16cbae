import GlassAuthoring
import GlassBase
import GlassMarkets
import GlassSchema

/// What the files of Apple's apps and their sites say: property lists, build settings, and associations.
extension MarketImport {
    /// Names that the systems define, with what they mean.
    private static let known: [String: KeyDeclaration.Role] = [
        "CFBundleDisplayName": .appName, "CFBundleIdentifier": .bundleIdentifier,
        "CFBundleShortVersionString": .appVersion, "CFBundleVersion": .appBuild,
        "com.apple.developer.team-identifier": .teamIdentifier, "PRODUCT_BUNDLE_IDENTIFIER": .bundleIdentifier,
        "MARKETING_VERSION": .appVersion, "CURRENT_PROJECT_VERSION": .appBuild, "DEVELOPMENT_TEAM": .teamIdentifier,
        "INFOPLIST_KEY_CFBundleDisplayName": .appName,
    ]

    private func known(_ name: String) -> ConfigurationPath? {
        if name == "LSApplicationQueriesSchemes" { return "deepLinking.outboundSchemes" }
        return Self.known[name].flatMap(schema.path)
    }

    /// Adds a value whose name the systems define.
    ///
    /// - Returns: Whether it is one, and the module has the key.
    private mutating func addKnown(_ name: String, _ json: StrictJSON, _ file: ImportFile) throws -> Bool {
        guard let path = known(name), let type = keys.declaration.type(at: path) else { return false }
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
                for (index, type) in values.enumerated() {
                    // The role and the name of a type do not decide which links open.
                    try loseUnread(
                        in: type, but: ["CFBundleURLSchemes", "CFBundleURLName", "CFBundleTypeRole"], file,
                        "\(member.key)[\(index)]")
                }
                try addList(schemes, to: "deepLinking.schemes", file, member.key)
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
                try addList(hosts, to: "deepLinking.universalLinks", file, member.key)
            case "com.apple.security.application-groups":
                guard let first = texts.first, texts.count == 1 else {
                    try lose(file, [member.key], "expected one group, which the app and its extensions share")
                    continue
                }
                // A group of one system's cookies alone is not meant.
                for (path, identity) in keys.declaration.identifyingKeys.sorted(by: { "\($0.path)" < "\($1.path)" })
                where identity == .appGroup && keys.declaration.key(at: path)?.appliesOn == .all {
                    guard let type = keys.declaration.type(at: path) else { continue }
                    try set((path, type), .string(first), file, [member.key], .guessed, "the app's only group")
                }
            default: try addTree(member.value, [member.key], file)
            }
        }
    }

    /// Adds the strings of a list that several files may contribute to, if the module has the list.
    private mutating func addList(
        _ texts: [String], to path: ConfigurationPath, _ file: ImportFile, _ source: String
    ) throws {
        guard case .list(let element, _, _)? = keys.declaration.type(at: path) else { return }
        for text in texts {
            if path == "deepLinking.schemes", let sdk = Self.callback(text) {
                try lose(file, [source, text], "with this scheme, \(sdk) comes back to the app; it opens no route")
                continue
            }
            do {
                let made = try converted(.string(text), as: element, at: path.appending(index: 1), isUntyped: false)
                try append(made.value, to: path, file, [source, text])
            } catch let error as ValueConversion.Mismatch {
                try lose(file, [source, text], error.message, hint: "the key is \(path)")
            }
        }
    }

    /// What a scheme belongs to; nil for one of the app itself.
    private static func callback(_ scheme: String) -> String? {
        let known = [
            ("com.googleusercontent.apps.", "Google Sign-In"), ("app-1-", "Firebase"), ("msauth.", "Microsoft"),
            ("twitterkit-", "X"), ("amzn-", "Amazon"), ("db-", "Dropbox"), ("line3rdp.", "LINE"),
        ]
        let text = scheme.lowercased()
        if let (_, name) = known.first(where: { text.hasPrefix($0.0) }) { return name }
        // Facebook's have the number of the app, and possibly a suffix.
        return text.hasPrefix("fb") && text.dropFirst(2).prefix(6).count { $0.isNumber } == 6 ? "Facebook" : nil
    }

    // MARK: Associations of a site

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
        let areEscaped = links?["defaults"]?["percentEncoded"]?.boolValue
        try loseUnread(
            in: links,
            but: ["details", "substitutionVariables", "defaults"]
                + (links?["apps"]?.arrayValue?.isEmpty == true ? ["apps"] : []),
            file, "applinks")
        try loseUnread(in: links?["defaults"], but: ["percentEncoded"], file, "applinks.defaults")
        let apps = details.map { detail -> [String] in
            let own = detail.value["appIDs"]?.arrayValue ?? detail.value["appID"].map { [$0] } ?? []
            return detail.app.map { [$0] } ?? own.compactMap(\.stringValue)
        }
        // A market has the links of one app: the one that other files name, or else the first.
        let known = schema.path(.bundleIdentifier).flatMap(text)
        let all = apps.flatMap { $0 }.map(Self.bundle)
        let bundle = all.first { $0 == known } ?? all.first
        for (detail, apps) in zip(details, apps) {
            guard apps.isEmpty || apps.contains(where: { Self.bundle($0) == bundle }) else {
                try lose(
                    file, [detail.source], "this entry is for the app \(apps[0])",
                    hint: "import its links into its own market")
                continue
            }
            for app in apps { try addApp(app, file, detail.source) }
            let defaults = detail.value["defaults"]
            let areEscaped = defaults?["percentEncoded"]?.boolValue ?? areEscaped ?? true
            let components = detail.value["components"]?.arrayValue
            try loseUnread(
                in: detail.value,
                but: ["appIDs", "appID", "components", "defaults", "paths"], file, detail.source)
            if components != nil, detail.value["paths"] != nil {
                try lose(
                    file, ["\(detail.source).paths"], "Apple's systems ignore paths when the entry also has components")
            }
            try loseUnread(in: defaults, but: ["percentEncoded"], file, "\(detail.source).defaults")
            if let components {
                for (index, component) in components.enumerated() {
                    try addComponent(
                        component, file, "\(detail.source).components[\(index)]", variables, areEscaped: areEscaped)
                }
            } else {
                for path in detail.value["paths"]?.arrayValue?.compactMap(\.stringValue) ?? [] {
                    let source = "\(detail.source).paths: \(path)"
                    if path.hasPrefix("NOT ") {
                        try loseExclusion(file, source)
                    } else {
                        try addRoute(path, variables, [], isEscaped: areEscaped, file, source)
                    }
                }
            }
        }
    }

    /// The bundle identifier of an app with its team.
    private static func bundle(_ app: String) -> String {
        app.firstIndex(of: ".").map { String(app[app.index(after: $0)...]) } ?? app
    }

    /// A string that files gave a key.
    func text(at path: ConfigurationPath) -> String? {
        guard case .value(.string(let text))? = values.first(where: { $0.path == path })?.content else { return nil }
        return text
    }

    private mutating func addApp(_ app: String, _ file: ImportFile, _ source: String) throws {
        guard let dot = app.firstIndex(of: ".") else {
            return try lose(file, ["\(source).appIDs: \(app)"], "expected TEAM.BUNDLE")
        }
        for (role, text) in [
            (.teamIdentifier, app[..<dot]), (.bundleIdentifier, app[app.index(after: dot)...]),
        ] as [(KeyDeclaration.Role, Substring)] {
            guard let path = schema.path(role), let type = keys.declaration.type(at: path) else { continue }
            try set((path, type), .string(String(text)), file, ["\(source).appIDs: \(app)"], .mapped)
        }
    }

    /// Adds a rule of Apple's components, or of Android's dynamic ones.
    mutating func addComponent(
        _ component: StrictJSON, _ file: ImportFile, _ place: String, _ variables: StrictJSON?, areEscaped: Bool
    ) throws {
        let path = component["/"]?.stringValue ?? "*"
        let source = "\(place): \(path)"
        try loseUnread(
            in: component, but: ["/", "?", "#", "exclude", "comment", "percentEncoded"], file, source)
        if component["exclude"]?.boolValue == true { return try loseExclusion(file, source) }
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
        let isEscaped = component["percentEncoded"]?.boolValue ?? areEscaped
        try addRoute(path, variables, required, isEscaped: isEscaped, file, source)
    }

    /// Reports the parts of a table that nothing reads.
    mutating func loseUnread(
        in table: StrictJSON?, but known: [String], _ file: ImportFile, _ source: String
    ) throws {
        for member in table?.members ?? [] where !known.contains(member.key) {
            try lose(file, ["\(source).\(member.key)"], "a market has no key for this")
        }
    }

    /// Reports links that stay in the browser. In a file the first entry that matches a link decides, but a market's browser
    /// paths precede all routes.
    private mutating func loseExclusion(_ file: ImportFile, _ source: String) throws {
        try lose(
            file, [source], "the file excludes these links from the app",
            hint: "list the paths that stay in the browser in deepLinking.browser")
    }
}
