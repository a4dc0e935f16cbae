extension SiteFiles {
    /// The size above which Apple's servers may ignore the association file.
    public static let appleSizeLimit = 128 * 1_024

    /// `apple-app-site-association`.
    public var appleAppSiteAssociation: String {
        let components = appleComponents.map { component in
            var parts = ["\"/\": \(json(component.path))"]
            if !component.query.isEmpty {
                let items = component.query.map { "\(json($0)): \"?*\"" }.joined(separator: ", ")
                parts.append("\"?\": {\(items)}")
            }
            if component.isExcluded { parts.append("\"exclude\": true") }
            parts.append("\"comment\": \(json(table.declarations[component.ordinal].routableID))")
            return "          {\(parts.joined(separator: ", "))}"
        }
        return """
            {
              "applinks": {
                "defaults": {"caseSensitive": false},
                "details": [
                  {
                    "appIDs": [\(app.appleAppIDs.map(json).joined(separator: ", "))],
                    "components": [
            \(components.joined(separator: ",\n"))
                    ]
                  }
                ]
              }
            }

            """
    }

    /// `assetlinks.json`.
    public var assetLinks: String {
        """
        [
          {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
              "namespace": "android_app",
              "package_name": \(json(app.androidPackage)),
              "sha256_cert_fingerprints": [\(app.androidFingerprints.map(json).joined(separator: ", "))]
            }
          }
        ]

        """
    }

    /// The intent filters of the Android manifest: one for all hosts, since each host has every path, so that the
    /// product of the attributes is exact; one for the custom schemes.
    public var intentFilters: String {
        func filter(_ data: [String], isVerified: Bool) -> String {
            """
            <intent-filter\(isVerified ? " android:autoVerify=\"true\"" : "")>
                <action android:name="android.intent.action.VIEW" />
                <category android:name="android.intent.category.DEFAULT" />
                <category android:name="android.intent.category.BROWSABLE" />
            \(data.map { "    <data \($0) />" }.joined(separator: "\n"))
            </intent-filter>

            """
        }
        var result = ""
        if !configuration.universalLinks.isEmpty && !androidPatterns.isEmpty {
            result += filter(
                ["android:scheme=\"https\""] + configuration.universalLinks.map { "android:host=\"\(xml($0))\"" }
                    + androidPatterns.map {
                        // A resource takes one backslash away.
                        let escaped = $0.pattern.text.split(separator: "\\", omittingEmptySubsequences: false)
                            .joined(separator: "\\\\")
                        return "android:\($0.pattern.kind.rawValue)=\"\(xml(escaped))\""
                    }, isVerified: true)
        }
        if !configuration.schemes.isEmpty {
            result += filter(configuration.schemes.map { "android:scheme=\"\(xml($0))\"" }, isVerified: false)
        }
        return result
    }

    /// The fragment of `Info.plist` with the custom schemes.
    public var infoPlist: String {
        """
        <key>CFBundleURLTypes</key>
        <array>
            <dict>
                <key>CFBundleURLSchemes</key>
                <array>
        \(configuration.schemes.map { "            <string>\(xml($0))</string>" }.joined(separator: "\n"))
                </array>
            </dict>
        </array>

        """
    }

    /// The fragment of the entitlements with the universal hosts.
    public var associatedDomains: String {
        """
        <key>com.apple.developer.associated-domains</key>
        <array>
        \(configuration.universalLinks.map { "    <string>applinks:\(xml($0))</string>" }.joined(separator: "\n"))
        </array>

        """
    }

    /// The page of supported links, in Markdown.
    public var supportedLinks: String {
        var lines = ["# Supported links", ""]
        lines.append("Schemes: " + configuration.schemes.map { "`\($0)://`" }.joined(separator: ", "))
        lines.append("Hosts: " + configuration.universalLinks.map { "`https://\($0)/`" }.joined(separator: ", "))
        lines += ["", "| opens | path | Apple | Android 31 and later |", "|---|---|---|---|"]
        for (ordinal, declaration) in table.declarations.enumerated() {
            let labels = labels(of: ordinal)
            let pattern = declaration.pattern.split(separator: "|", omittingEmptySubsequences: false)
                .joined(separator: "\\|")
            lines.append("| \(declaration.routableID) | `\(pattern)` | \(labels[0].fit) | \(labels[1].fit) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// What whoever publishes the files should know.
    public var warnings: [String] {
        var result: [String] = []
        let size = appleAppSiteAssociation.utf8.count
        if size > SiteFiles.appleSizeLimit {
            result.append(
                "apple-app-site-association has \(size) bytes, and the limit is \(SiteFiles.appleSizeLimit); "
                    + "use fewer lists of words")
        }
        if !androidPatterns.isEmpty {
            result.append("below API level 31 the intent filter claims every path of its hosts")
        }
        return result
    }

    private func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<" ": result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    private func xml(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
