import GlassBase
import GlassDeepLinking
import GlassSchema

/// What files say that doesn't open the app.
extension MarketImport {
    /// Links that a file excludes.
    struct Exclusion {
        /// The entry in the report.
        let entry: Int
        /// The path, with the wildcards of the file.
        let path: String
        /// The text after `#`, if only links with it are excluded.
        let fragment: String?
    }

    /// A path that a file claims for the app.
    struct Claim {
        let path: String
        let glob: PathGlob
    }

    /// Notes that a list claims a path.
    mutating func claim(_ path: String, _ variables: StrictJSON?) {
        claims.append(Claim(path: path, glob: PathGlob(path, variables)))
    }

    /// Adds links that don't open the app: paths that stay in the browser. Exclusions of another form are lost.
    ///
    /// One that excludes everything usually ends a list, and says what a market says by listing its routes.
    mutating func exclude(
        _ path: String, fragment: String?, hasQuery: Bool = false, _ file: ImportFile, _ source: String
    ) throws {
        if fragment == nil, !hasQuery, path.hasPrefix("/"), !Self.claimsAll(path), BrowserPath.isValid(path) {
            // In a file the first entry that matches a link decides, but a market's browser paths precede all routes.
            if let earlier = earlierClaim(path) {
                return try lose(
                    file, [source],
                    "the earlier entry \(earlier) opens some of these links, which deepLinking.browser would prevent",
                    hint: "list the paths that stay in the browser in deepLinking.browser")
            }
            return try addElement(
                String(path.dropFirst()), to: "deepLinking.browser", file, [source], .guessed)
        }
        exclusions.append(Exclusion(entry: entries.count, path: path, fragment: fragment))
        try lose(file, [source], "a market lists what opens the app, and no route matches these links")
    }

    /// The first path of the list that may match links of an excluded path.
    private mutating func earlierClaim(_ excluded: String) -> String? {
        // A market's help/* also takes the path help itself.
        let isBelow = excluded.hasSuffix("/*")
        let globs = ([excluded] + (isBelow ? [String(excluded.dropLast("/*".count))] : [])).map { PathGlob($0) }
        for claim in claims {
            for glob in globs where claim.glob.overlaps(glob, steps: &comparisonSteps) { return claim.path }
        }
        return nil
    }

    private static func claimsAll(_ path: String) -> Bool { path.allSatisfy { "/*?".contains($0) } }

    /// Says which routes of the market match links that the files exclude.
    mutating func explainExclusions(_ table: RouteTable) {
        for exclusion in exclusions {
            let segments = exclusion.path.split(separator: "/").map { $0.hasPrefix("$(") ? "1" : String($0) }
            let path = segments.joined(separator: "/").replacing("*", with: "1").replacing("?", with: "1")
            let claimsAll = Self.claimsAll(exclusion.path)
            // A path that no link can have is matched by none.
            let link = try? DeepLink("https://market.example/\(path)")
            let route = claimsAll ? nil : link.flatMap { table.bestMatch(for: $0) }.map { table.patterns[$0.ordinal] }
            if let fragment = exclusion.fragment, claimsAll || route != nil {
                explain(
                    exclusion.entry,
                    "devices exclude links with #\(fragment), but \(route.map { "the route \($0) matches" } ?? "routes match") "
                        + "them, because it is not part of a path", hint: nil)
            } else if let route {
                explain(
                    exclusion.entry, "devices exclude the links, but the route \(route) matches them",
                    hint: "write the routes that open the app instead of \(route)")
            } else if claimsAll {
                explain(exclusion.entry, "a market lists what opens the app", hint: nil)
            }
        }
    }
}
