import Foundation
import Testing

/// What was probably meant: keys by the end of their path, and links that route nowhere.
@Suite(.timeLimit(.minutes(3)))
struct SuggestionTests {
    @Test func aKeyIsFoundByTheEndOfItsPath() throws {
        let run = try HostProcess(["explain", "maxRetries", "-m", "ca"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("platform.networking.retry.maxRetries = 4\n"))
        #expect(try HostProcess(["show", "retry.jitter"]).output == "platform.networking.retry.jitter = 0.25\n")
    }

    @Test(arguments: [
        (
            ["explain", "suite"],
            "market \"us\" has several keys that end so: platform.preferences.suite, platform.userDefaultsRegistration.suite\n"
        ),
        (
            ["show", "maxRetires"],
            "market \"us\" has no key \"maxRetires\"; did you mean \"platform.networking.retry.maxRetries\"?\n"
        ),
        (["explain", "localse"], "market \"us\" has no key \"localse\"; did you mean \"locales\"?\n"),
    ])
    func aKeyThatIsNoneNamesWhatWasMeant(arguments: [String], text: String) throws {
        let run = try HostProcess(arguments + ["-m", "us"])
        #expect(run.status == 1)
        #expect(run.errors == text)
    }

    @Test func aLinkThatRoutesNowhereNamesTheNearestRoutes() throws {
        let own = try HostProcess(["open", "walmart.ca://myacount", "-m", "ca"])
        #expect(own.status == 1)
        #expect(
            own.output.contains("  did you mean \"myaccount\"? (\"myacount\" → \"myaccount\", route of account)\n"),
            "\(own.output)")
        let other = try HostProcess(["open", "walmart://carito", "-m", "us"])
        #expect(
            other.output.contains("did you mean \"carrito\"? (\"carito\" → \"carrito\", route of cart in mx)\n"),
            "\(other.output)")
        let exact = try HostProcess(["explain", "walmart://carrito", "-m", "us"])
        #expect(
            exact.output.hasSuffix(
                "did you mean \"walmart.mx://carrito\"? (\"walmart://carrito\" → \"walmart.mx://carrito\", route of cart in mx)\n"
            ),
            "\(exact.output)")
        let json = try HostProcess(["open", "walmart://carito", "-m", "us", "--format", "json"]).json()
        let misses = try #require(json["nearMisses"] as? [[String: Any]])
        #expect(misses.contains { $0["market"] as? String == "mx" && $0["suggestion"] as? String == "carrito" })
    }

    @Test func explainHoldsPreconditions() throws {
        let run = try HostProcess(["explain", "walmart://orders", "-m", "us", "--hold", "signedIn"])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("walmart://orders: waiting\n"), "\(run.output)")
        let typo = try HostProcess(["explain", "walmart://orders", "-m", "us", "--hold", "signedin"])
        #expect(typo.status == 2)
        #expect(typo.errors == "--hold: this market has no precondition \"signedin\"; did you mean \"signedIn\"?\n")
    }
}
