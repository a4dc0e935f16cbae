import GlassBase
import GlassDeepLinking
import GlassSchema

/// What the files of Android apps and their sites say: associations and manifests.
extension MarketImport {
    /// The relation of apps that open a site's links.
    private static let relation = "delegate_permission/common.handle_all_urls"

    /// Adds an assetlinks.json file.
    mutating func addAssetLinks(_ file: ImportFile) throws {
        // A market has the links of one app: the one that other files name, or else the first.
        var own = text(at: "platform.appInfo.android.package")
        let packages = (file.tree.arrayValue ?? []).compactMap { $0["target"]?["package_name"]?.stringValue }
        own = own.flatMap { packages.contains($0) ? $0 : nil }
        for (index, statement) in (file.tree.arrayValue ?? []).enumerated() {
            let source = "[\(index)]"
            let relations = statement["relation"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let target = statement["target"]
            guard relations.contains(Self.relation), target?["namespace"]?.stringValue == "android_app" else {
                try lose(file, [source], "it is not about links that open an Android app")
                continue
            }
            let package = target?["package_name"]?.stringValue
            guard own == nil || package == nil || package == own else {
                try lose(
                    file, [source], "this entry is for the app \(package ?? "")",
                    hint: "import its links into its own market")
                continue
            }
            own = own ?? package
            for (path, json) in [
                ("platform.appInfo.android.package", target?["package_name"]),
                ("platform.appInfo.android.certificateDigests", target?["sha256_cert_fingerprints"]),
            ] as [(ConfigurationPath, StrictJSON?)] {
                guard let json, let type = keys.declaration.type(at: path) else { continue }
                let name = path.lastKey == "package" ? "package_name" : "sha256_cert_fingerprints"
                try set((path, type), json, file, [source, "target", name], .mapped)
            }
            claims = []
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
            let name = element["name"]?.stringValue ?? ""
            if name == "intent-filter" { return try addFilter(element, file) }
            if let reason = Self.closed(element, name), Self.hasLinks(element) {
                let id = element["attributes"]?["android:name"]?.stringValue
                return try lose(file, [[name, id].compactMap(\.self).joined(separator: " ")], reason)
            }
            for child in element["children"]?.arrayValue ?? [] { try visit(child) }
        }
        try visit(file.tree)
    }

    /// Why no link opens a component; nil if one can.
    private static func closed(_ element: StrictJSON, _ name: String) -> String? {
        let isComponent = name == "activity" || name == "activity-alias"
        func isFalse(_ attribute: String) -> Bool { element["attributes"]?[attribute]?.stringValue == "false" }
        if isComponent || name == "application", isFalse("android:enabled") {
            return "it has android:enabled=\"false\", so its links open nothing"
        }
        if isComponent, isFalse("android:exported") {
            return "it has android:exported=\"false\", so other apps cannot open its links"
        }
        return nil
    }

    /// Whether an element is or contains an intent filter for links.
    private static func hasLinks(_ element: StrictJSON) -> Bool {
        element["name"]?.stringValue == "intent-filter"
            ? isForLinks(element) : (element["children"]?.arrayValue ?? []).contains(where: hasLinks)
    }

    /// Whether a browser can open what an intent filter describes.
    private static func isForLinks(_ filter: StrictJSON) -> Bool {
        func has(_ kind: String, _ name: String) -> Bool {
            (filter["children"]?.arrayValue ?? []).contains {
                $0["name"]?.stringValue == kind && $0["attributes"]?["android:name"]?.stringValue == name
            }
        }
        return has("action", "android.intent.action.VIEW") && has("category", "android.intent.category.BROWSABLE")
    }

    private mutating func addFilter(_ filter: StrictJSON, _ file: ImportFile) throws {
        guard Self.isForLinks(filter) else { return }
        let children = filter["children"]?.arrayValue ?? []
        let source = "intent-filter in line \(filter["line"]?.intValue ?? 0)"
        var ports: [String: String] = [:]
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
            // A port belongs to the host beside it.
            let (host, port) = (data["attributes"]?["android:host"], data["attributes"]?["android:port"])
            if let host = host?.stringValue, let port = port?.stringValue { ports[host] = port }
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
            for host in whole {
                let note = ports[host].map { "links of a market have no port, so \($0) is left out" }
                try addElement(
                    host.lowercased(), to: "deepLinking.universalLinks", file,
                    ["\(source), host", host.lowercased()], note == nil ? .mapped : .guessed, note)
            }
        }
        // A custom scheme's host is the first part of the path; a filter for both kinds means a site's host.
        let starts = isWeb || hosts.isEmpty ? [""] : hosts.map { "/\($0)" }
        let kinds = ["path", "pathPrefix", "pathPattern", "pathSuffix", "pathAdvancedPattern"]
        var isAny = true
        for kind in kinds {
            for path in attributes[kind] ?? [] {
                isAny = false
                for start in starts {
                    // A prefix also claims the path itself.
                    if kind == "pathPrefix", !path.hasSuffix("/"), !path.isEmpty, !ImportedPath.endsInside(path) {
                        try addRoute(
                            .android("path", start + (path.hasPrefix("/") ? path : "/\(path)")), [], file,
                            "\(source), \(kind) \(path)")
                    }
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
