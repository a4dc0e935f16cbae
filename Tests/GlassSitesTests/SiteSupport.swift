import GlassDeepLinking

@testable import GlassSites

extension SiteInput.App {
    static let us = SiteInput.App(
        teamIdentifier: "US7W4LMART", bundleIdentifier: "com.example.us", androidPackage: "com.example.us.android",
        certificateDigests: [String(repeating: "0a", count: 32)])
    static let ca = SiteInput.App(
        teamIdentifier: "CA7W4LMART", bundleIdentifier: "com.example.ca", androidPackage: "com.example.ca.android",
        certificateDigests: [String(repeating: "0B", count: 32)])
}

extension SiteInput.Market {
    /// A market with the patterns as routes `r0`, `r1`, ….
    static func make(
        _ id: String, hosts: [String], schemes: [String] = [], app: SiteInput.App, patterns: [String]
    ) throws -> SiteInput.Market {
        SiteInput.Market(
            id: id, universalHosts: hosts, schemes: schemes, app: app,
            routes: try patterns.enumerated().map {
                SiteInput.Route(routableID: "r\($0)", pattern: try RoutePattern($1))
            })
    }
}

extension SiteFiles {
    /// The files for one market on `example.com`.
    static func make(_ patterns: String..., options: Options = Options()) throws -> SiteFiles {
        try make(patterns, options: options)
    }

    static func make(_ patterns: [String], options: Options = Options()) throws -> SiteFiles {
        let market = try SiteInput.Market.make(
            "us", hosts: ["example.com"], schemes: ["example"], app: .us, patterns: patterns)
        return try SiteFiles(SiteInput(markets: [market]), options: options)
    }
}

extension SiteAudit {
    func claim(_ pattern: String, _ target: SiteTarget) -> RouteClaim? {
        claims.first { $0.pattern == pattern && $0.target == target }
    }
}

extension RouteTable {
    /// A table of patterns; each routable's id is `r` followed by its index.
    init(patterns: [String]) throws(RouteTableError) {
        try self.init(patterns.enumerated().map { RouteDeclaration(pattern: $1, routableID: "r\($0)", index: 0) })
    }
}

extension ServedFileFindings {
    /// A list for a test that reads a file by itself.
    static var ofTest: ServedFileFindings {
        let file = ServedFile(host: "example.com", kind: .siteAssociation, place: "x", content: .missing(status: nil))
        return ServedFileFindings(file: file, list: SiteFindings())
    }
}
