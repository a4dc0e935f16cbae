import CommandTesting
import Foundation
import TestSupport
import Testing

/// What the commands say about paths that stay in the browser.
@Suite(.timeLimit(.minutes(3)))
struct BrowserPathCommandTests {
    /// The markets, with Canada keeping paths in the browser.
    private static func folder(_ paths: String) throws -> TestFolder {
        let folder = try TestFolder()
        let market = try folder.markets().appending(path: "ca.lua")
        let text = try String(contentsOf: market, encoding: .utf8)
            .replacing(
                #"universalLinks = { "www.walmart.ca" },"#,
                with: "universalLinks = { \"www.walmart.ca\" },\n    browser = { \(paths) },")
        try Data(text.utf8).write(to: market)
        return folder
    }

    @Test func linkIsRefusedAndExplained() throws {
        let folder = try Self.folder(#""flyers/*", "gift-cards""#)
        let open = try HostRun(["open", "https://www.walmart.ca/flyers/12", "--format", "json"], folder: folder.url)
        #expect(open.status == 1)
        #expect(open.output.contains("\"browser\""))
        #expect(try HostRun(["open", "walmart.ca://flyers/12"], folder: folder.url).status == 0)
        let explain = try HostRun(["explain", "https://www.walmart.ca/flyers/12"], folder: folder.url)
        #expect(
            explain.output.contains("the market keeps \"flyers/*\" in the browser; open the link there"),
            "\(explain.output)")
        let show = try HostRun(["show", "deepLinking.browser", "-m", "ca"], folder: folder.url)
        #expect(show.output.contains("\"gift-cards\""))
    }

    @Test func checkNamesRoutesThatNoUniversalLinkOpens() throws {
        let folder = try Self.folder(#""flyers/*""#)
        let check = try HostRun(["check", "ca"], folder: folder.url)
        #expect(check.status == 0)
        #expect(
            check.output.contains(
                "markets/ca.lua:14:17: warning: deepLinking.browser[1]: \"flyers/*\" keeps all universal links of \"flyers\" "
                    + "of flyers in the browser: only links with the market's schemes open it"), "\(check.output)")
        let other = try Self.folder(#""press/*", "flyers/archive""#)
        let harmless = try HostRun(["check", "ca"], folder: other.url)
        #expect(!harmless.output.contains("deepLinking.browser"))
    }

    @Test(arguments: [
        (#""help/*topic""#, "write \"help/*\""), (#""https://www.walmart.ca/help""#, "write \"help\""),
        (#""flyers/:week""#, "deepLinking.browser[1]: expected a path of literal segments"),
        (#""*""#, "deepLinking.browser[1]: expected a path"),
    ])
    func otherFormsAreErrors(path: String, message: String) throws {
        let folder = try Self.folder(path)
        let check = try HostRun(["check", "ca"], folder: folder.url)
        #expect(check.status == 1)
        #expect(check.output.contains(message), "\(check.output)")
    }

    @Test func exportExcludesFirst() throws {
        let folder = try Self.folder(#""gift-cards/*""#)
        let text = try HostRun(["export", "aasa", "-m", "ca", "-q"], folder: folder.url).output
        let first = text.split(separator: "\n").first { $0.contains("\"/\":") }
        #expect(first?.contains("{ \"/\": \"/gift-cards\", \"exclude\": true") == true)
        let links = try HostRun(["export", "links-md", "-m", "ca", "-q"], folder: folder.url).output
        #expect(links.contains("Stays in the browser: `/gift-cards/*`"))
    }
}
