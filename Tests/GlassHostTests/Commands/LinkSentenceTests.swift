import GlassDeepLinking
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassHost

/// The sentences about links.
struct LinkSentenceTests {
    private static func sentence(
        _ outcome: RouteOutcome, _ navigation: NavigationSnapshot = home, owners: [String] = [],
        later: NavigationSnapshot? = nil, situations: [LinkSituation] = []
    ) -> LinkSentence {
        let result = DispatchResult(text: "a://b", outcome: outcome, link: nil, navigation: navigation)
        return LinkSentence(result, in: "Canada", ownedBy: owners, later: later, situations: situations) {
            "\($0) holds"
        }
    }

    private static let home = NavigationSnapshot(tab: "home", screens: [])

    private static func screen(_ name: String, _ parameters: [String: String] = [:]) -> NavigationSnapshot {
        NavigationSnapshot(tab: "account", screens: [.init(name: name, parameters: parameters)])
    }

    @Test func routedLinkNamesScreenAndTab() {
        #expect(Self.sentence(.routed).text == "Opens the Home tab.")
        #expect(Self.sentence(.routed, Self.screen("account")).text == "Opens the Account screen on the Account tab.")
        #expect(
            Self.sentence(.routed, Self.screen("orderDetail", ["storeID": "7", "itemID": "42", "note": ""])).text
                == "Opens the Order detail screen with itemID 42 and storeID 7 on the Account tab.")
        let long = Self.sentence(.routed, Self.screen("search", ["q": String(repeating: "a", count: 8000)]))
        #expect(long.text.count < 130 && long.text.contains("…") && long.kind == .opens)
    }

    @Test func waitingLinkSaysForWhatAndThenWhat() {
        let one = Self.sentence(.waiting(unmet: ["signedIn"]), later: Self.screen("orders"))
        #expect(
            one.text == "Waits until signedIn holds, then opens the Orders screen on the Account tab."
                && one.kind == .waits)
        #expect(
            Self.sentence(.waiting(unmet: ["appStarted", "storeSelected", "loyaltyReady"])).text
                == "Waits until appStarted holds, storeSelected holds, and loyaltyReady holds.")
    }

    @Test func linkOfAnotherMarketIsNoError() {
        let unknown = RouteOutcome.unroutable(.unknownScheme("a"))
        #expect(Self.sentence(unknown) == LinkSentence(kind: .foreign, text: "Not a link of Canada."))
        #expect(
            Self.sentence(.unroutable(.unknownHost("a")), owners: ["México", "Chile", "Peru"]).text
                == "Not a link of Canada. It is a link of México, Chile, and Peru.")
    }

    @Test func ownLinkThatOpensNothingSaysWhy() {
        #expect(Self.sentence(.unroutable(.noRoute)).text == "Canada has no screen for this link.")
        #expect(Self.sentence(.unroutable(.declined)).text == "No screen of Canada accepts this link.")
        #expect(
            Self.sentence(.unroutable(.expired)).text
                == "Opens nothing: the link waited too long for its preconditions.")
        #expect(Self.sentence(.external).text == "Opens in the browser: the app has no screen for it.")
        #expect(Self.sentence(.running).kind == .waits)
    }

    @Test func linkOfSomeDaysSaysWhen() throws {
        let context = MarketContext(["build": .text("debug")])
        let (from, until) = (ContextLocalDate("2029-11-16"), ContextLocalDate("2029-11-20"))
        var days = LinkSituation(context: context, from: from.map { .localDate($0) })
        #expect(
            Self.sentence(.unroutable(.noRoute), situations: [days]).text
                == "Opens from Friday, 16 November 2029, 00:00 on the device's clock. Canada has no screen for this link now."
        )
        days.until = .localDate(try #require(until))
        #expect(
            Self.sentence(.unroutable(.declined), situations: [days]).text
                == "Opens from Friday, 16 November 2029, 00:00 on the device's clock until Tuesday, 20 November 2029, 00:00 on the device's clock. No screen of Canada accepts this link now."
        )
        #expect(
            Self.sentence(.unroutable(.noRoute), situations: [LinkSituation(context: context)]).text
                == "Canada has no screen for this link in this situation.")
    }

    @Test func refusalSaysHowToFixTheLink() throws {
        let refusal = try #require(#expect(throws: DeepLinkRefusal.self) { try DeepLink("walmart://a b") })
        let sentence = Self.sentence(.refused(refusal))
        #expect(sentence.text == "Refused: the link contains a space; write it as %20." && sentence.kind == .refused)
    }

    @Test(arguments: [
        ("orderDetail", "order detail"), ("storeID", "store ID"), ("QRCode", "qrcode"), ("snake_case", "snake case"),
        ("", ""), ("home", "home"), ("store2Go", "store2 go"),
    ])
    func namesBecomeWords(name: String, words: String) {
        #expect(name.inWords == words)
    }
}
