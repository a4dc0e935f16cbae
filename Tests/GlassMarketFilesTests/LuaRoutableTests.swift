import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import LuaBridge
import TestSupport
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(2)))
struct LuaRoutableTests {
    /// A market whose routable `promo` runs the given body.
    private func market(_ body: String, limits: MarketLimits = MarketLimits()) throws -> Market {
        let fixture = try MarketFixture([
            "xx.lua": """
            local calls = 0
            return { id = "xx", name = "X", extends = "us", deepLinking = { schemes = { "xx" } },
              routables = { promo = { paths = { "promo/:code", "promo" }, handle = function(link, state)
                calls = calls + 1
                \(body)
              end } } }
            """
        ])
        let market = try fixture.loader(limits: limits).load("xx")
        market.preconditions.satisfyAll()
        return market
    }

    @Test func handlerSeesLinkAndChangesNavigation() throws {
        let market = try market(
            """
            state:select("offers")
            state:show("promo", { code = link.parameters.code, from = link.query.from, n = calls, path = link.path[2] })
            return true
            """)
        let result = market.open("xx://promo/SPRING?from=mail&from=other")
        #expect(result.outcome == .routed)
        #expect(
            result.navigation
                == NavigationSnapshot(
                    tab: "offers",
                    screens: [
                        .init(
                            name: "promo", parameters: ["code": "SPRING", "from": "mail", "n": "1", "path": "SPRING"])
                    ]))
    }

    @Test func returningFalseDeclinesWithoutSideEffects() throws {
        let market = try market("state:show(\"promo\") return false")
        let result = market.open("xx://promo/1")
        #expect(result.outcome == .unroutable(.declined))
        #expect(result.navigation == NavigationSnapshot())
    }

    @Test(arguments: [
        ("error(\"no such code\")", "xx.lua:5:5: no such code"),
        (
            "local l = ({ link })[1] local x = l.nothing.more",
            "xx.lua:5:41: attempt to index a nil value (field 'nothing')"
        ),
        ("return 1", "handle of promo must return true or false"),
        ("local s = ({ state })[1] s:shwo(\"x\")", "shwo"),
        ("state:show(3)", "show: expected a string for screen, got 3"),
        ("_G.os.exit()", "'os' is not available"),
    ])
    func errorInHandlerFailsLink(body: String, text: String) throws {
        let market = try market(body)
        let result = market.open("xx://promo/1")
        guard case .failed(let failure) = result.outcome else {
            Issue.record("expected failed, got \(result.outcome)")
            return
        }
        #expect(failure.description.contains(text), "\(failure)")
        #expect(result.navigation == NavigationSnapshot())
        #expect(market.open("xx://cart").outcome == .routed)
    }

    @Test func endlessHandlerIsStoppedAndMarketStaysUsable() throws {
        var limits = MarketLimits()
        limits.handle.cpuTime = .milliseconds(50)
        let market = try market(
            "if link.parameters.code == \"loop\" then while true do pcall(function() while true do end end) end end return true",
            limits: limits)
        guard case .failed(let failure) = market.open("xx://promo/loop").outcome else {
            Issue.record("the endless handle was not stopped")
            return
        }
        #expect(failure.error is LuaError)
        #expect(failure.description.contains("time limit exceeded: 50 ms"))
        #expect(market.open("xx://promo/short").outcome == .routed)
    }

    @Test func eachLinkHasItsOwnBudget() throws {
        var limits = MarketLimits()
        limits.handle.cpuTime = .seconds(60)
        limits.handle.instructions = 3_000_000
        let market = try market("local n = 0 for i = 1, 400000 do n = n + i end return true", limits: limits)
        for _ in 0..<20 { #expect(market.open("xx://promo/1").outcome == .routed) }
    }

    @Test func handlersOfOneLinkShareLimit() throws {
        var limits = MarketLimits()
        limits.handle.cpuTime = .seconds(60)
        limits.handle.instructions = 3_000_000
        let fixture = try MarketFixture([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "us", deepLinking = { schemes = { "xx" } },
              routables = { promo = { paths = { "promo", "promo?a", "promo?a&b", "promo?a&b&c", "promo?a&b&c&d" },
                handle = function(link, state)
                  local n = 0 for i = 1, 400000 do n = n + i end
                  return false
                end } } }
            """
        ])
        let market = try fixture.loader(limits: limits).load("xx")
        market.preconditions.satisfyAll()
        // One handler declines within the limit, but five together exceed it.
        #expect(market.open("xx://promo").outcome == .unroutable(.declined))
        guard case .failed(let failure) = market.open("xx://promo?a=1&b=1&c=1&d=1").outcome else {
            Issue.record("the handlers were not stopped")
            return
        }
        #expect(
            failure.description.contains(
                "the handlers of the link together exceeded the instruction limit: 3000000 instructions"))
    }

    @Test func memoryBombInHandlerFailsLink() throws {
        var limits = MarketLimits()
        // The memory limit must be reached first, even with a sanitizer's slow allocator.
        limits.handle.cpuTime = .seconds(60)
        let market = try market("local t = {} for i = 1, 1e9 do t[i] = {} end", limits: limits)
        guard case .failed(let failure) = market.open("xx://promo/1").outcome else {
            Issue.record("the memory bomb was not stopped")
            return
        }
        #expect(failure.description.contains("memory limit"))
    }

    /// The screens that a handler shows are held in Swift until it ends.
    @Test func endlessScreensFailLinkAndAreReleased() throws {
        let market = try market(
            """
            if link.path[2] == "few" then
              for i = 1, 20 do state:show("x", { text = ("y"):rep(100000) .. i }) end
            else
              for i = 1, 1e9 do state:show("x", { text = ("y"):rep(100000) .. i }) end
            end
            """)
        let result = market.open("xx://promo/many")
        guard case .failed(let failure) = result.outcome else {
            Issue.record("expected a failure, got \(result.outcome)")
            return
        }
        // A sanitizer's allocator is so slow that time can run out before memory does.
        #expect("\(failure)".contains(Sanitizer.name == nil ? "memory limit exceeded" : "limit exceeded"))
        #expect(result.navigation == NavigationSnapshot())
        for _ in 0..<20 { #expect(market.open("xx://promo/few").outcome == .routed) }
    }

    @Test func concurrentCallersShareMarketsLuaState() async throws {
        let market = try market("return true")
        // Many concurrent callers, on threads other than the state's.
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask { market.open("xx://promo/1").outcome == .routed }
            }
            for await routed in group { #expect(routed) }
        }
    }
}
