import GlassBase
import Testing

@testable import GlassSites

@Suite struct SiteComponentTests {
    private static func opens(_ component: SiteComponent, path: String, query: String? = nil) throws -> Bool {
        let compiled = try AssociationComponent(
            component.content, variables: SiteVariables(["list": ["en", "fr"]]), budget: .unlimited, on: .exporting)
        var work = MatchingWork(.unlimited, on: .exporting)
        let link = AssociationLink(path: path, query: query)
        return try AssociationMatcher([compiled]).decision(on: link, &work).outcomes == .opens
    }

    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/A", true), ("/a", "/a/", true), ("/a/?*", "/a/", false),
        ("/a/?*", "/a/x/y", true), ("/", "", true), ("/$(list)", "/FR", true), ("/$(list)", "/de", false),
    ])
    func pathMatchesWithDefaultsOfFile(_ pattern: String, path: String, matches: Bool) throws {
        #expect(try Self.opens(SiteComponent(path: pattern), path: path) == matches)
    }

    @Test(
        arguments: [
            ("q=1", true), ("a=1&q=x", true), ("q=", false), ("q", false), (nil, false), ("Q=1", true),
            ("q=&q=2", false), ("xq=1", false),
        ] as [(String?, Bool)])
    func queryItemIsRequired(_ query: String?, matches: Bool) throws {
        #expect(try Self.opens(SiteComponent(path: "/s", query: ["q": "?*"]), path: "/s", query: query) == matches)
    }

    @Test func textsAreEscaped() {
        #expect(SiteText.manifest("/v1\\.0&") == "/v1\\\\.0&amp;")
        #expect(SiteText.pathSegment("50 off+é/?#") == "50%20off+%C3%A9%2F%3F%23")
        #expect(SiteText.decoded("/caf%C3%A9/10%25%") == "/café/10%%")
    }
}
