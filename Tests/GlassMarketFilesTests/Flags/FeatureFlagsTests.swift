import Foundation
import GlassBase
import GlassContainer
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
@testable import GlassPlatform
import MarketTesting

/// The service that answers with the values of flags.
@Suite(.timeLimit(.minutes(2)))
struct FeatureFlagsTests {
    private struct Banner: Decodable, Equatable {
        let title: String
        let sizes: [Int]
    }

    // MARK: Values

    /// `schema swift` writes the default of a list or a table as a literal.
    @Test func literalsOfObjectsAreTheirValues() throws {
        struct Limits: Encodable {
            let maximum = 3
            let names = ["a", "b"]
            let ratio = 0.5
            let isOn = true
            let inner = ["deep": ["x": 1]]
        }
        let literal: FlagObject = [
            "maximum": 3, "names": ["a", "b"], "ratio": 0.5, "isOn": true, "inner": ["deep": ["x": 1]],
        ]
        #expect(try literal == FlagObject(Limits()))
        let (list, empty): (FlagObject, FlagObject) = ([1, "a", false], [:])
        #expect(list.flagValue == .list(values: [.integer(1), .string("a"), .boolean(false)]) && empty == FlagObject())
    }

    @Test func valuesAreTyped() throws {
        let flags = try FlagsFixture().flags
        #expect(flags[.newCheckout] == false && flags[.limit] == 3 && flags[.ratio] == 0.5)
        #expect(flags[.rank] == "bm25" && flags[.old] == "x" && flags[.onlyInCode] == true)
        // A whole number is a number, too.
        #expect(flags[FlagKey("limit", default: 0.5)] == 3.0)
        let banner = flags[.banner]
        #expect(banner["title"] == "Hi" && banner["title", as: Int.self] == nil)
        #expect(banner["sizes", as: FlagObject.self]?[1] == 2)
        #expect(banner["sizes", as: FlagObject.self]?[2, as: Int.self] == nil)
        #expect(banner.keys == ["sizes", "title"] && banner.count == 2)
        #expect(try banner.decode(Banner.self) == Banner(title: "Hi", sizes: [1, 2]))
        #expect(try FlagObject(["title": "Hi"])["title"] == "Hi")
        #expect(throws: DecodingError.self) { try FlagObject("Hi") }
        #expect(flags.names == ["banner", "limit", "member", "newCheckout", "old", "rank", "ratio"])
    }

    @Test func reasonsAreThoseOfOpenFeature() throws {
        let fixture = try FlagsFixture(context: ["installID": .text(FlagsFixture.inside)])
        let flags = fixture.flags
        #expect(flags.details(.limit).reason == .static && flags.details(.old).reason == .disabled)
        #expect(flags.details(.ratio).reason == .default && flags.details(.ratio).rule == nil)
        let ramp = flags.details(.newCheckout)
        #expect(ramp.reason == .split && ramp.value && ramp.rule?.name == "ramp" && ramp.variant == nil)
        #expect(ramp.rule?.position?.file.hasSuffix("t.lua") == true && ramp.missingUnit == nil)
        let revision = try #require(fixture.store.market("t")).revision
        #expect(ramp.provider == "market t@\(revision)" && ramp.error == nil)
        try fixture.set(["build": .text("beta")])
        #expect(flags.details(.newCheckout).reason == .targetingMatch)
        #expect(flags.details(.newCheckout).rule?.name == "beta")
        #expect(flags.details(.rank).variant == "control" && flags.details(.rank).value == "bm25")
    }

    @Test func missingUnitHasErrorCode() throws {
        let flags = try FlagsFixture().flags
        let details = flags.details(.member)
        #expect(details.missingUnit == "customerID" && details.error?.code == .targetingKeyMissing)
        #expect(details.reason == .default && details.value == false && details.rule == nil)
    }

    @Test func errorsHaveCodes() throws {
        let provider = FlagProviderStub(["limit": .failure(FlagError(.general, "out of order"))])
        let fixture = try FlagsFixture(provider: provider)
        let flags = fixture.flags
        let unknown = flags.details(.onlyInCode)
        #expect(unknown.value && unknown.reason == .error && unknown.provider == "code")
        #expect(unknown.error?.code == .flagNotFound)
        #expect(unknown.error?.message.contains("has no flag \"onlyInCode\"") == true)

        let mismatch = flags.details(FlagKey("limit", default: "x"))
        #expect(mismatch.value == "x" && mismatch.reason == .error && mismatch.provider == "code")
        #expect(
            mismatch.error?.description.hasPrefix("TYPE_MISMATCH: limit has the type integer in market t@") == true)
        #expect(flags[FlagKey("limit", default: "x")] == "x" && flags[.limit] == 3)

        // The next layer answers, and the error remains visible.
        let failed = flags.details(.limit)
        #expect(failed.value == 3 && failed.reason == .static)
        #expect(failed.error == FlagError(.general, "remote: out of order"))

        for context in [
            MarketContext(["instalID": .text("secret")]), MarketContext(["signedIn": .text("secret")]),
        ] {
            let details = flags.details(.ratio, in: context)
            #expect(details.error?.code == .invalidContext && details.value == -1 && details.reason == .error)
            #expect(details.error?.message.contains("secret") == false)
        }
    }

    @Test func containerWithoutMarketIsNotReady() {
        let container = Container(module: .platformInMemory)
        let flags: any FeatureFlags = container.get()
        #expect(flags[.onlyInCode] && flags.details(.onlyInCode).error?.code == .providerNotReady)
    }

    @Test func anotherContextIsEvaluatedOnTheSpot() throws {
        let flags = try FlagsFixture(context: ["signedIn": .boolean(false)]).flags
        func value(_ id: String) -> Bool {
            flags.details(.newCheckout, in: MarketContext(["installID": .text(id)])).value
        }
        #expect(value(FlagsFixture.inside) && !value(FlagsFixture.outside) && !flags[.newCheckout])
        #expect(flags.details(.ratio, in: MarketContext(["signedIn": .boolean(true)])).value == 1)
        #expect(flags[.ratio] == 0.5)
    }

    // MARK: Layers

    @Test func strongestLayerAnswers() throws {
        let provider = FlagProviderStub([
            "limit": .value(.integer(5), reason: .cached), "rank": .value(.string("neural-2")),
            "onlyInCode": .value(.boolean(false), variant: "off"),
        ])
        let fixture = try FlagsFixture(provider: provider, context: ["build": .text("debug")])
        let flags = fixture.flags
        #expect(flags[.limit] == 5 && flags.details(.limit).provider == "remote")
        #expect(flags.details(.limit).reason == .cached && flags[.ratio] == 0.5)
        #expect(flags.details(.rank).variant == "neural" && flags.details(.rank).reason == .unknown)
        #expect(!flags[.onlyInCode] && flags.details(.onlyInCode).variant == "off")
        try flags.force(9, for: .limit)
        #expect(flags[.limit] == 9 && flags.details(.limit).provider == "forced")
        #expect(flags.details(.limit).reason == .static)
        // It counts in every situation that is asked about.
        #expect(flags.details(.limit, in: MarketContext(["signedIn": .boolean(true)])).value == 9)
        flags.unforce(.limit)
        #expect(flags[.limit] == 5)
        // The provider's answers are kept.
        let count = provider.questions.count
        for _ in 0..<10 { #expect(flags[.limit] == 5) }
        #expect(provider.questions.count == count)
        #expect(provider.questions.contains { $0.flag == "limit" && $0.type == .integer })
        #expect(provider.questions.last?.context["build"] == .text("debug"))
    }

    @Test func providersValueOfAnotherKindIsNotUsed() throws {
        let provider = FlagProviderStub([
            "limit": .value(.string("secret")), "rank": .value(.string("secret")), "onlyInCode": .value(.integer(1)),
        ])
        let flags = try FlagsFixture(provider: provider).flags
        let limit = flags.details(.limit)
        #expect(limit.value == 3 && limit.provider.hasPrefix("market t@") && limit.reason == .static)
        #expect(
            limit.error
                == FlagError(.typeMismatch, "remote gives another value: limit has the type integer, not string"))
        #expect(
            flags.details(.rank).error?.message
                == "remote gives another value: rank has only the values of its variants control, neural")
        #expect(flags[.rank] == "bm25" && flags[.onlyInCode])
        #expect(flags.details(.onlyInCode).error?.code == .typeMismatch)
        // Another caller expects the type that the provider has.
        #expect(flags[FlagKey("onlyInCode", default: 0)] == 1 && flags[.onlyInCode])
    }

    @Test func providersChangeIsFollowed() async throws {
        let provider = FlagProviderStub()
        let flags = try FlagsFixture(provider: provider).flags
        #expect(flags[.limit] == 3)
        var changes = flags.changes().makeAsyncIterator()
        provider.set(.value(.integer(7)), for: "limit")
        let change = await changes.next()
        #expect(change?.flags == ["limit"] && change?.cause == .provider("remote") && flags[.limit] == 7)
    }

    @Test func forcedValuesCountInDebugAndBetaOnly() throws {
        let fixture = try FlagsFixture()
        let flags = fixture.flags
        try flags.force(9, for: .limit)
        #expect(flags[.limit] == 3 && flags.details(.limit).ignoresForcedValue)
        #expect(flags.forced == ["limit": .integer(9)] && !flags.details(.ratio).ignoresForcedValue)
        for build in ["debug", "beta"] {
            try fixture.set(["build": .text(build)])
            #expect(flags[.limit] == 9 && !flags.details(.limit).ignoresForcedValue)
        }
        try fixture.set(["build": .text("release")])
        #expect(flags[.limit] == 3)
        // A request says nothing about the build of this app.
        #expect(flags.details(.limit, in: MarketContext(["build": .text("debug")])).value == 3)
    }

    @Test func forcedValueOfAnotherKindIsRefused() throws {
        let flags = try FlagsFixture(context: ["build": .text("debug")]).flags
        #expect(throws: FlagError(.typeMismatch, "limit has the type integer, not string")) {
            try flags.force("x", for: FlagKey("limit", default: ""))
        }
        #expect(
            throws: FlagError(.typeMismatch, "rank has only the values of its variants control, neural")
        ) { try flags.force("x", for: .rank) }
        #expect(flags.forced.isEmpty && flags[.limit] == 3)
        try flags.force("neural-2", for: .rank)
        #expect(flags[.rank] == "neural-2" && flags.details(.rank).variant == "neural")
        try flags.force(false, for: .onlyInCode)
        #expect(!flags[.onlyInCode])
    }

    @Test func forcedValueOutlivesTheMarketAndItsType() throws {
        let fixture = try FlagsFixture(context: ["build": .text("debug")])
        try fixture.flags.force(9, for: .limit)
        let first = fixture.store.market("t")
        func reload(_ limit: String) throws -> any FeatureFlags {
            try fixture.files.write(
                FlagsFixture.text("limit = { kind = \"operations\", owner = \"a\", default = \(limit) }"), to: "t.lua")
            fixture.store.reload("t")
            return try #require(fixture.store.market("t")).container.get()
        }
        let second = try reload("4")
        #expect(fixture.store.market("t") !== first && second !== fixture.flags)
        // Also whoever kept the service of the old market reads the new one.
        #expect(second[.limit] == 9 && fixture.flags[.limit] == 9 && fixture.flags.names == ["limit"])
        fixture.flags.unforce(.limit)
        #expect(second[.limit] == 4 && fixture.flags[.limit] == 4)
        try second.force(8, for: .limit)
        let third = try reload("\"four\"")
        let details = third.details(FlagKey("limit", default: ""))
        #expect(details.value == "four" && details.error?.code == .typeMismatch)
        #expect(details.error?.message.contains("the forced value no longer applies") == true)
    }

    // MARK: Exposures

    @Test func splitIsExposedOnceAndWithoutItsUnit() async throws {
        let fixture = try FlagsFixture(context: ["installID": .text("person-1")])
        let flags = fixture.flags
        for _ in 0..<3 {
            _ = flags.peek(.rank)
            _ = flags[.newCheckout]
        }
        #expect(try await fixture.exposures().isEmpty)
        for _ in 0..<3 {
            _ = flags[.rank]
            _ = flags.details(.rank)
        }
        let events = try await fixture.exposures()
        let variant = try #require(flags.peek(.rank).variant)
        let revision = try #require(fixture.store.market("t")).revision
        #expect(
            events == [
                AnalyticsEvent(
                    "flagExposure",
                    attributes: [
                        "feature_flag.key": .string("rank"), "feature_flag.result.variant": .string(variant),
                        "feature_flag.result.reason": .string("split"), "feature_flag.set.id": .string("t"),
                        "feature_flag.version": .string("\(revision)"),
                        "feature_flag.provider.name": .string("market t@\(revision)"), "rule": .string("half"),
                        "layer": .string("search"), "unit": .string("installID"),
                    ])
            ])
        // Another unit is another exposure; the first one again is none.
        try fixture.set(["installID": .text("person-2")])
        _ = flags[.rank]
        try fixture.set(["installID": .text("person-1")])
        _ = flags[.rank]
        #expect(try await fixture.exposures().count == 2)
        for unit in ["person-2", "person-3"] {
            _ = flags.details(.rank, in: MarketContext(["installID": .text(unit)]))
            _ = flags.peek(.rank, in: MarketContext(["installID": .text("person-4")]))
        }
        let all = try await fixture.exposures()
        #expect(all.count == 3 && !"\(all)".contains("person-"))
    }

    @Test func trackedFlagIsExposed() async throws {
        let fixture = try FlagsFixture(context: ["build": .text("debug")])
        _ = fixture.flags[.banner]
        _ = fixture.flags[.limit]
        // A value of another type reaches nobody.
        _ = fixture.flags[FlagKey("rank", default: 1)]
        let events = try await fixture.exposures()
        #expect(events.count == 1 && events.first?.attributes["feature_flag.key"] == .string("banner"))
        #expect(events.first?.attributes["unit"] == nil)
        // What a tester forces says nothing about an experiment.
        try fixture.flags.force("neural-2", for: .rank)
        _ = fixture.flags[.rank]
        #expect(try await fixture.exposures().count == 1)
    }

    @Test func reloadDoesNotRepeatExposures() async throws {
        let fixture = try FlagsFixture(context: ["installID": .text("person-1")])
        _ = fixture.flags[.rank]
        #expect(try await fixture.exposures().count == 1)
        fixture.store.reload("t", force: true)
        let flags: any FeatureFlags = try #require(fixture.store.market("t")).container.get()
        _ = flags[.rank]
        await (flags as? MarketFeatureFlags)?.waitForExposures()
        #expect(try await fixture.exposures().isEmpty)
        // Whoever kept the service of the old market exposes to the analytics of the new one.
        try fixture.set(["installID": .text("person-2")])
        _ = fixture.flags[.rank]
        #expect(try await fixture.exposures().count == 1)
    }

    // MARK: Changes

    @Test func changesNameFlagsAndCause() async throws {
        let fixture = try FlagsFixture(context: ["build": .text("debug")])
        let flags = fixture.flags
        var changes = flags.changes().makeAsyncIterator()
        try fixture.set(["signedIn": .boolean(true)])
        #expect(flags[.ratio] == 1)
        #expect(await changes.next() == FlagChange(["ratio"], cause: .context))
        // Nothing depends on it.
        try fixture.set(["osVersion": ContextVersion("18.0").map { .version($0) }])
        try flags.force(4, for: .limit)
        #expect(await changes.next() == FlagChange(["limit"], cause: .forced))
        flags.unforce(.limit)
        #expect(await changes.next() == FlagChange(["limit"], cause: .forced))
        try fixture.files.write(
            FlagsFixture.text(
                FlagsFixture.flagsText.replacingOccurrences(of: "default = 3", with: "default = 4")), to: "t.lua")
        fixture.store.reload("t")
        #expect(await changes.next() == FlagChange(["limit"], cause: .market) && flags[.limit] == 4)
    }

    @Test func situationThatReplacesTheMarketIsTheCause() async throws {
        let overlay = """
            overlays = { { name = "in", when = { signedIn = true },
              platform = { networking = { retry = { maxRetries = 1 } } } } },
            """
        let fixture = try FlagsFixture(FlagsFixture.text(more: overlay))
        let market = fixture.store.market("t")
        var changes = fixture.flags.changes().makeAsyncIterator()
        try fixture.set(["signedIn": .boolean(true)])
        #expect(fixture.store.market("t") !== market && fixture.flags[.ratio] == 1)
        #expect(await changes.next() == FlagChange(["ratio"], cause: .context))
    }

    // MARK: Scripts

    @Test func scriptReadsAndForces() throws {
        let files = try MarketFixture([
            "shared/platform.lua": SmallMarket.platform, "t.lua": FlagsFixture.text(),
            "scripts/s.lua": """
            local expect = glass.expect
            local function flags(context) return glass.market("t", context).container:get("FeatureFlags") end
            local plain = flags()
            expect(plain:value("limit")):toBe(3)
            expect(plain:value("limit", "x")):toBe("x")
            expect(plain:value("unknown", 7)):toBe(7)
            expect(plain:value("banner").title):toBe("Hi")
            expect(plain:names()[2]):toBe("limit")
            local details = plain:details("ratio", { signedIn = true })
            expect(details.value):toBe(1)
            expect(details.reason):toBe("TARGETING_MATCH")
            expect(details.rule):toBe("in")
            expect(details.position):toContain("t.lua")
            expect(plain:peek("member").missingUnit):toBe("customerID")
            expect(plain:peek("unknown").error.code):toBe("FLAG_NOT_FOUND")
            plain:force("limit", 9)
            expect(plain:value("limit")):toBe(3)
            expect(plain:peek("limit").ignoresForcedValue):toBe(true)
            local debug = flags({ build = "debug" })
            debug:force("limit", 9)
            expect(debug:value("limit")):toBe(9)
            expect(debug:forced()):toEqual({ limit = 9 })
            debug:unforce("limit")
            expect(debug:value("limit")):toBe(3)
            expect(function() debug:force("limit", "x") end):toRaise("TYPE_MISMATCH: limit has the type integer")
            """,
        ])
        let printed = Lock("")
        let runner = ScriptRunner(markets: files.loader()) { text in printed.withLock { $0 += text } }
        let run = try runner.run(files.folder.appending(path: "scripts/s.lua").path, arguments: [])
        #expect(run.succeeded, "\(printed.withLock { $0 }) \(run)")
    }
}
