import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import LuaBridge
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(2)))
struct MarketLoaderTests {
    @Test(arguments: ["us", "ca", "mx"])
    func realMarketsLoad(id: String) throws {
        let market = try MarketFixture().loader().load(id)
        #expect(market.id == id)
        #expect(market.container.validate(requiring: MarketModule.platform.serviceTypes).isValid)
        #expect(market.warnings.allSatisfy { $0.code == .secretUnset })
    }

    @Test func unitedStatesSetEveryKey() throws {
        let market = try MarketFixture().loader().load("us")
        func missing(_ section: SectionDeclaration, _ node: ConfigurationNode?, _ path: String) -> [String] {
            section.keys.flatMap { key -> [String] in
                let inner = node?.node(at: ConfigurationPath([.key(key.name)]))
                if inner == nil, !(path.isEmpty && key.name == "extends") { return [path + key.name] }
                guard case .section(let below) = key.type else { return [] }
                return missing(below, inner, "\(path)\(key.name).")
            }
        }
        #expect(missing(MarketSchema(.platform).declaration, market.source, "") == [])
    }

    @Test func documentedExampleWorks() throws {
        let loader = try MarketFixture().loader()
        let us = try loader.load("us")
        let ca = try loader.load("ca")
        us.preconditions.satisfyAll()
        ca.preconditions.satisfyAll()
        #expect(us.open("walmart://account").routableID == "account")
        #expect(ca.open("walmart.ca://myaccount").routableID == "account")
        #expect(ca.open("walmart.ca://account").outcome == .unroutable(.noRoute))
    }

    @Test func editedPathRoutesElsewhereWithoutCompiling() throws {
        let fixture = try MarketFixture()
        let file = fixture.folder.appending(path: "ca.lua")
        let before = try String(contentsOf: file, encoding: .utf8)
        try fixture.write(before.replacingOccurrences(of: "\"myaccount\"", with: "\"profile\""), to: "ca.lua")
        let market = try fixture.loader().load("ca")
        market.preconditions.satisfyAll()
        #expect(market.open("walmart.ca://profile").routableID == "account")
        #expect(market.open("walmart.ca://myaccount").outcome == .unroutable(.noRoute))
    }

    @Test func valueHasPositionAndOverriddenValues() throws {
        let fixture = try MarketFixture([
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"ca\",\n  currency = \"EUR\" }"
        ])
        let node = try #require(try fixture.loader().load("xx").source.node(at: "currency"))
        #expect(node.value == .string("EUR"))
        #expect(node.position.map { "\($0)" }?.hasSuffix("xx.lua:2:14") == true)
        #expect(node.overridden.map(\.value) == [.string("CAD"), .string("USD")])
        #expect(
            node.overridden.compactMap(\.position).map { ($0.file as NSString).lastPathComponent } == [
                "ca.lua", "us.lua",
            ])
    }

    @Test func mapsAreMergedAndListsReplaced() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            return { id = "xx", name = "X", extends = "us",
              locales = { "de-AT" },
              platform = {
                networking = { headers = { ["X-Own"] = "1" }, retry = { statuses = remove { 408, 429 } } },
                userDefaultsRegistration = { defaults = {} },
                cookieStorage = { cookies = {} },
              },
              routables = { pharmacy = false, scan = true, help = { customPaths = { "hilfe" } } },
            }
            """
        ])
        let market = try fixture.loader().load("xx")
        #expect(market.definition.locales == ["de-AT"])
        #expect(market.config.networking.headers == ["WM-Tenant": "WM_GLASS", "WM-Market": "us", "X-Own": "1"])
        #expect(market.config.networking.retry.statuses == [500, 502, 503, 504])
        #expect(market.config.userDefaultsRegistration.defaults.count == 4)
        #expect(market.config.cookieStorage.cookies == [])
        #expect(market.routes.contains { $0.pattern == "hilfe" && $0.waitsFor == "nothing" })
        #expect(!market.routes.contains { $0.routable == "pharmacy" })
        #expect(market.routes.first { $0.routable == "scan" }?.waitsFor == "all")
    }

    @Test func marketWithErrorIsNotBuilt() throws {
        let fixture = try MarketFixture([
            "xx.lua":
                "return { id = \"xx\", name = \"X\", extends = \"us\", routables = { home = { paths = { \"cart\" } } } }"
        ])
        let error = #expect(throws: MarketError.self) { try fixture.loader().load("xx") }
        #expect(error?.description.hasPrefix("market \"xx\" cannot be loaded:\n") == true)
    }

    @Test func inheritanceChainSharesTimeLimit() throws {
        let spin = "local n = 0 for i = 1, 3e6 do n = n + i end\n"
        let fixture = try MarketFixture([
            "aa.lua": spin + "return { id = \"aa\", name = \"A\", extends = \"bb\" }",
            "bb.lua": spin + "return { id = \"bb\", name = \"B\", extends = \"cc\" }",
            "cc.lua": spin + "return { id = \"cc\", name = \"C\", extends = \"us\" }",
        ])
        var limits = MarketLimits()
        limits.evaluation.cpuTime = .seconds(60)
        limits.evaluation.instructions = 4_000_000 * 4
        #expect(try fixture.loader(limits: limits).check("cc").findings.allSatisfy { $0.code == .secretUnset })
        #expect(try fixture.loader(limits: limits).check("aa").findings.map(\.code) == [.limit])
    }

    @Test func marketsAreIsolated() throws {
        let fixture = try MarketFixture([
            "aa.lua": "string.own = 1 shared = 1\nreturn { id = \"aa\", name = \"A\", extends = \"us\" }",
            "bb.lua": "return { id = \"bb\", name = tostring(string.own), extends = \"us\" }",
        ])
        _ = try fixture.loader().load("aa")
        #expect(try fixture.loader().load("bb").definition.name == "nil")
    }

    @Test func sameFileGivesSameMarket() throws {
        let fixture = try MarketFixture([
            "xx.lua": """
            local out = {}
            for key in pairs({ z = 1, a = 2, m = 3, [1] = 0 }) do out[#out + 1] = tostring(key) end
            return { id = "xx", extends = "us", name = table.concat(out, ",") .. math.random(1000) .. tostring({}) }
            """
        ])
        let names = try (0..<3).map { _ in try fixture.loader().load("xx").definition.name }
        #expect(Set(names).count == 1)
        #expect(names[0].hasPrefix("1,a,m,z"))
        #expect(!names[0].contains("0x"))
    }

    @Test func missingServiceIsFinding() throws {
        let fixture = try MarketFixture()
        let module = MarketModule(
            "small", secretPrefixes: ["GLASS_"], sections: [PlatformConfig.self],
            routables: MarketModule.platform.routables,
            services: [
                Service((any AppInfoAPI).self, requires: [(any EnvironmentAPI).self], "Who the app is.") { c in
                    AppInfoPlatformAPI(configuration: c.get(PlatformConfig.self).appInfo)
                }
            ], preconditions: MarketModule.platform.preconditions)
        let loader = MarketLoader(module, folder: MarketFolder(path: fixture.folder.path))
        let check = try loader.check("us")
        #expect(check.market == nil)
        let errors = check.findings.filter { $0.severity == .error }
        #expect(Set(errors.map(\.code)) == [.missingService])
        #expect(
            errors.contains {
                $0.description.contains("EnvironmentAPI")
                    && $0.position?.file.hasSuffix("MarketLoaderTests.swift") == true
            })
    }

    @Test func cyclicServicesAreFindings() throws {
        let fixture = try MarketFixture()
        let module = MarketModule.platformInMemory.overriding(services: [
            Service((any AppInfoAPI).self, requires: [(any UserAgentProviding).self], "Who the app is.") { c in
                AppInfoPlatformAPI(configuration: c.get(PlatformConfig.self).appInfo)
            },
            Service((any UserAgentProviding).self, requires: [(any AppInfoAPI).self], "The user agent.") { c in
                c.register((any AppInfoAPI).self, requires: []) { _ in AppInfoAPIMock() }
                return UserAgentProvidingMock()
            },
        ])
        let loader = MarketLoader(module, folder: MarketFolder(path: fixture.folder.path))
        let errors = try loader.check("us").findings.filter { $0.severity == .error }
        #expect(Set(errors.map(\.code)) == [.serviceCycle])
    }

    @Test func marketWithMocksRoutesItsLinks() throws {
        let module = MarketModule.platform.overriding(services: Service.platformMocks)
        let fixture = try MarketFixture()
        let market = try MarketLoader(module, folder: MarketFolder(path: fixture.folder.path), secrets: { _ in nil })
            .load("ca")
        market.preconditions.satisfyAll()
        #expect(market.open("walmart.ca://myaccount").routableID == "account")
        #expect(DeepLinkerMock(behind: market.deepLinker)?.opened == ["walmart.ca://myaccount"])
    }

    @Test func withSharedBindsContainerForCallOnly() throws {
        let market = try MarketFixture().loader().load("ca")
        let before = Container.shared
        market.withShared {
            #expect(Container.shared === market.container)
        }
        #expect(Container.shared === before)
        #expect(before !== market.container)
    }

    @Test func unreferencedMarketIsFreed() throws {
        weak var market: Market?
        weak var container: Container?
        do {
            let loaded = try MarketFixture().loader().load("ca")
            loaded.preconditions.satisfyAll()
            loaded.open("walmart.ca://flyers/1")
            market = loaded
            container = loaded.container
            #expect(market != nil)
        }
        #expect(market == nil)
        #expect(container == nil)
    }
}
