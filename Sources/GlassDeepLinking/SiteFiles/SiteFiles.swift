/// The app as the site files name it.
public struct SiteApp: Sendable, Equatable {
    /// Apple's app ids, such as `ABCDE12345.com.example.app`.
    public var appleAppIDs: [String]
    /// The Android package.
    public var androidPackage: String
    /// The SHA-256 fingerprints of the Android certificates.
    public var androidFingerprints: [String]

    /// Creates an app.
    ///
    /// - Parameters:
    ///   - appleAppIDs: Apple's app ids.
    ///   - androidPackage: The Android package.
    ///   - androidFingerprints: The SHA-256 fingerprints of the certificates.
    public init(appleAppIDs: [String], androidPackage: String, androidFingerprints: [String]) {
        self.appleAppIDs = appleAppIDs
        self.androidPackage = androidPackage
        self.androidFingerprints = androidFingerprints
    }
}

/// How well a generated file says what a route takes.
public struct SiteLabel: Sendable, Equatable {
    /// The file.
    public enum Target: String, Sendable, CaseIterable {
        /// `apple-app-site-association`.
        case apple
        /// Intent filters at API level 31 and later.
        case android31
        /// Intent filters below API level 31.
        case androidOlder
    }

    /// What the file claims, measured by what the route takes.
    public enum Fit: String, Sendable {
        /// Exactly its links.
        case exact
        /// More links: the app opens and has to decline some.
        case over
        /// Fewer links: some stay in the browser.
        case under
        /// None.
        case impossible
    }

    /// The file.
    public let target: Target
    /// What it claims.
    public let fit: Fit
    /// The rule that makes it so.
    public let rule: String
}

/// The files of a site and an app that go with a table of routes.
///
/// Links are those that the gate lets pass: what it refuses, an app may be handed and drops.
public struct SiteFiles: Sendable {
    /// The routes.
    public let table: RouteTable
    /// The market's schemes and hosts.
    public let configuration: DeepLinkConfiguration
    /// The app.
    public let app: SiteApp
    /// The components of Apple's file in order: the first that matches decides.
    public let appleComponents: [AppleComponent]
    /// The patterns of Android's filter, each with its route.
    public let androidPatterns: [(ordinal: Int, pattern: AndroidPattern)]

    /// Makes the files.
    ///
    /// - Parameters:
    ///   - table: The routes.
    ///   - configuration: The market's schemes and hosts.
    ///   - app: The app.
    public init(table: RouteTable, configuration: DeepLinkConfiguration, app: SiteApp) {
        self.table = table
        self.configuration = configuration
        self.app = app
        appleComponents = SiteFiles.appleComponents(table)
        androidPatterns = table.patterns.enumerated().flatMap { ordinal, pattern in
            SiteFiles.androidPatterns(pattern).map { (ordinal, AndroidPattern(kind: .pathAdvancedPattern, text: $0)) }
        }
    }

    // MARK: Rules

    /// Catch-alls first, then longer patterns before shorter ones, and after each length what its stars over-claim.
    private static func appleComponents(_ table: RouteTable) -> [AppleComponent] {
        typealias Rule = (isCatchAll: Bool, count: Int, component: AppleComponent)
        var rules: [Rule] = []
        var exclusions: [Rule] = []
        for (ordinal, pattern) in table.patterns.enumerated() {
            for variant in pattern.variants {
                var isCatchAll = false
                var paths: [[String]] = [[]]
                for segment in variant {
                    let choices: [String]
                    switch segment {
                    case .literal(let text): choices = [text.utf8.percentEncoded]
                    case .parameter(_, .oneOf(let words)?): choices = words.map { $0.utf8.percentEncoded }
                    case .parameter: choices = ["?*"]
                    case .catchAll:
                        choices = ["?*"]
                        isCatchAll = true
                    }
                    paths = paths.flatMap { path in choices.map { path + [$0] } }
                }
                func add(_ parts: [String], isExcluded: Bool, to list: inout [Rule]) {
                    let path = "/" + parts.joined(separator: "/")
                    let needsSlash = !isExcluded && parts.last.map { $0 != "?*" } == true
                    for text in needsSlash ? [path, path + "/"] : [path] {
                        let component = AppleComponent(
                            path: text, query: isExcluded ? [] : pattern.requiredQuery, isExcluded: isExcluded,
                            ordinal: ordinal)
                        list.append((isCatchAll, variant.count, component))
                    }
                }
                for path in paths {
                    add(path, isExcluded: false, to: &rules)
                    guard !isCatchAll else { continue }
                    for place in path.indices where path[place] == "?*" {
                        var longer = path
                        longer[place] = "?*/?*"
                        add(longer, isExcluded: true, to: &exclusions)
                    }
                }
            }
        }
        var result = rules.filter(\.isCatchAll).map(\.component)
        for count in stride(from: rules.map(\.count).max() ?? 0, through: 0, by: -1) {
            // Exclusions stand before the rules of their own length, which is where the stars that need them are.
            for exclusion in exclusions where exclusion.count == count {
                let isNew = !result.contains { $0.isExcluded && $0.path == exclusion.component.path }
                if isNew { result.append(exclusion.component) }
            }
            result += rules.filter { !$0.isCatchAll && $0.count == count }.map(\.component)
        }
        return result
    }

    private static func androidPatterns(_ pattern: RoutePattern) -> [String] {
        pattern.variants.flatMap { variant -> [String] in
            var texts = [""]
            for segment in variant {
                let choices: [String]
                switch segment {
                case .literal(let text): choices = [androidLiteral(text)]
                case .parameter(_, .oneOf(let words)?): choices = words.map(androidLiteral)
                // With a query that no filter can require the claim is too wide anyway; too narrow as well has no label.
                case .parameter(_, .int?): choices = [pattern.requiredQuery.isEmpty ? "[0-9]{1,18}" : "[^/]+"]
                case .parameter(_, .alnum?): choices = ["[A-Za-z0-9]+"]
                case .parameter(_, .slug?): choices = ["[A-Za-z0-9][A-Za-z0-9_-]*"]
                case .parameter(_, .uuid?):
                    let hex = "[0-9A-Fa-f]"
                    choices = ["\(hex){8}-\(hex){4}-\(hex){4}-\(hex){4}-\(hex){12}"]
                case .parameter: choices = ["[^/]+"]
                case .catchAll: choices = [".+"]
                }
                texts = texts.flatMap { text in choices.map { text + "/" + $0 } }
            }
            if case .catchAll = variant.last { return texts }
            return texts.map { $0.isEmpty ? "/" : $0 + "[/]{0,1}" }
        }
    }

    private static func androidLiteral(_ text: String) -> String {
        text.unicodeScalars.map { scalar -> String in
            let isLetter = scalar.isASCII && ASCII.isLetter(UInt8(scalar.value & 0x7F))
            if isLetter {
                let character = String(scalar)
                return "[\(character.lowercased())\(character.uppercased())]"
            }
            return ".*+[]{}\\^".unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
        }.joined()
    }

    /// How well each file says what a route takes.
    ///
    /// - Parameter ordinal: The route's place in the table.
    /// - Returns: A label for each target.
    public func labels(of ordinal: Int) -> [SiteLabel] {
        let pattern = table.patterns[ordinal]
        var apple: (SiteLabel.Fit, String) = (.exact, "each part can be said")
        var android: (SiteLabel.Fit, String) = (.exact, "each part can be said")
        var sawParameter = false
        for segment in pattern.segments {
            switch segment {
            case .literal(let text):
                if text.utf8.percentEncoded.utf8.contains(where: { $0 == UInt8(ascii: "%") }), apple.0 == .exact {
                    apple = (.under, "\"\(text)\" is compared as one of its percent encodings")
                }
                if sawParameter, case .catchAll = pattern.segments.last {
                    apple = (.over, "a star before \"\(text)\" crosses slashes, and a catch-all bars the exclusion")
                }
            case .parameter(let name, let type?):
                if case .oneOf = type { continue }
                sawParameter = true
                apple = (.over, "a component cannot say that \"\(name)\" is \(type)")
                if type == .int, android.0 == .exact {
                    android = (.under, "\"\(name)\" is claimed up to 18 digits without a sign")
                }
            case .parameter: sawParameter = true
            case .catchAll: continue
            }
        }
        if !pattern.requiredQuery.isEmpty {
            android = (.over, "a filter below API level 35 cannot require a query")
        }
        return [
            SiteLabel(target: .apple, fit: apple.0, rule: apple.1),
            SiteLabel(target: .android31, fit: android.0, rule: android.1),
            SiteLabel(
                target: .androidOlder, fit: .over,
                rule: "pathAdvancedPattern is ignored below API level 31, so the whole host is claimed"),
        ]
    }

    /// Whether Apple's file hands a link to the app, and for which route.
    ///
    /// - Parameters:
    ///   - path: The path as written.
    ///   - query: The query as written.
    /// - Returns: The route of the first component that matches, or `nil` where that excludes or none matches.
    public func appleClaim(path: String, query: String = "") -> Int? {
        let first = appleComponents.first { $0.matches(path: path, query: query) }
        return first.flatMap { $0.isExcluded ? nil : $0.ordinal }
    }

    /// Evaluates the generated rules against links sampled from the table: an exact route must claim its links and no
    /// others, an over-claiming one all of its links, an under-claiming one only its links.
    ///
    /// - Returns: What does not hold; empty when all does.
    public func selfTest() -> [String] {
        var paths: Set<String> = []
        for ordinal in table.patterns.indices {
            for sample in table.samples(of: ordinal) {
                let parts = sample.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
                let path = String(parts[0])
                let query = parts.count > 1 ? "?" + parts[1] : ""
                paths.formUnion([path + query, path, path.uppercased() + query])
                if !path.isEmpty { paths.formUnion([path + "/" + query, path + "/x" + query, path + "/x/y" + query]) }
                let segments = path.split(separator: "/").map(String.init)
                paths.insert(segments.dropLast().joined(separator: "/") + query)
                for place in segments.indices {
                    for other in ["zz9", "7", "-5", "a%2Fb", "a.b"] {
                        var changed = segments
                        changed[place] = other
                        paths.insert(changed.joined(separator: "/") + query)
                    }
                }
            }
        }
        var failures: [String] = []
        for text in paths.sorted() {
            // Only what the gate lets pass is a link.
            guard let link = try? DeepLink("https://h.example/" + text) else { continue }
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let takers = Set(table.matches(for: link).map(\.ordinal))
            let apple = appleClaim(path: "/" + parts[0], query: parts.count > 1 ? String(parts[1]) : "")
            // Android sees the decoded path; a decoded slash is one of its own.
            let decoded = "/" + link.segments.joined(separator: "/") + (parts[0].hasSuffix("/") ? "/" : "")
            let android = androidPatterns.first { $0.pattern.matches(decoded) }?.ordinal
            let hasDecodedSlash = text.contains("%2F")
            for (target, claim) in [(SiteLabel.Target.apple, apple), (.android31, hasDecodedSlash ? nil : android)] {
                if target == .android31 && hasDecodedSlash { continue }
                if let claim, let label = labels(of: claim).first(where: { $0.target == target }) {
                    let mayOverclaim = label.fit == .over
                    if !mayOverclaim && !takers.contains(claim) {
                        failures.append("\(target.rawValue): \"\(table.patterns[claim])\" claims \"\(text)\"")
                    }
                }
                for taker in takers where claim == nil {
                    let label = labels(of: taker).first { $0.target == target }
                    if label?.fit == .exact || label?.fit == .over {
                        failures.append("\(target.rawValue): \"\(table.patterns[taker])\" misses \"\(text)\"")
                    }
                }
            }
        }
        return failures
    }
}
