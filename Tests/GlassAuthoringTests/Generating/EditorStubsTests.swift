import Foundation
import GlassContainer
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import LuaBridge
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets
import MarketTesting
@testable import GlassAuthoring
import GlassAuthoring

struct EditorStubsTests {
    private let text: String
    private let lines: [String]

    init() {
        text = Self.stubs(nil)
        lines = text.split(separator: "\n").map(String.init)
    }

    private static func stubs(_ markets: EditorStubs.Markets?) -> String {
        let container = Container.mock
        let services = MarketModule.platform.services.compactMap { service in
            service.scriptObject(in: container).map { (service.name, $0) }
        }
        return EditorStubs(for: .platform, services: services, markets: markets).text
    }

    @Test func stubsAreValidLua() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { context in
            _ = try context.load(LuaSource(text, chunkName: "glass.lua"))
        }
        #expect(lines.first == "---@meta")
    }

    @Test func everyNamedClassIsDeclaredOnce() throws {
        let declared = lines.compactMap { line -> String? in
            guard line.hasPrefix("---@class ") || line.hasPrefix("---@alias ") else { return nil }
            let name = line.split(separator: " ").dropFirst().first { $0 != "(exact)" }
            return name.map { String($0.last == ":" ? $0.dropLast() : $0) }
        }
        #expect(Set(declared).count == declared.count)
        let name = /glass\.[A-Za-z][A-Za-z.]*/
        for line in lines where line.hasPrefix("---@") {
            let annotation = line.split(separator: " ", maxSplits: 2).last.map(String.init) ?? ""
            // The type ends at the first space; a summary may mention a function.
            let type = annotation.split(separator: " ").first.map(String.init) ?? ""
            for match in type.matches(of: name) {
                #expect(declared.contains(String(match.output)), "\(line)")
            }
        }
    }

    @Test func everyKeyInSchemaHasFieldOfItsType() throws {
        let fields = Dictionary(grouping: lines.filter { $0.hasPrefix("---@field ") }) {
            $0.split(separator: " ")[1]
        }
        func check(_ section: SectionDeclaration) {
            for key in section.keys { #expect(fields["\(key.name)?"] != nil, "\(section.name).\(key.name)") }
        }
        check(MarketSchema(.platform).declaration)
        check(PlatformConfig.declaration)
        check(NetworkingConfiguration.Retry.declaration)
        check(RoutableSettings.declaration)
        #expect(
            text.contains(
                "---@field maxRetries? integer The maximum number of retries of a failed request. Default: `3`."))
        #expect(
            text.contains(
                "---@field account? boolean|glass.Routable The account page. Standard paths: `account`."))
        #expect(
            text.contains(
                "---@overload fun(self: glass.Container, name: \"EnvironmentAPI\"): glass.service.EnvironmentAPI"))
    }

    /// The annotation that lets a language server detect each kind of mistake; `Tests/Stubs/run` uses a real server.
    @Test(arguments: [
        // An unknown key: the keys of a table are exactly these.
        "---@class (exact) glass.Market.Platform.Networking.Retry: table<\"maxRetries\"|",
        // A choice, and a value of the wrong type.
        "---@field cachePolicy? \"useProtocolCachePolicy\"|", "---@field statuses? integer[] ",
        "---@field consumerKey? glass.Secret ", "---@class glass.Secret: userdata",
        // Conditions: an attribute's choices, one of another type, and the keys of an overlay and an alternative.
        "---@field build? \"debug\"|\"beta\"|\"release\"|(\"debug\"|\"beta\"|\"release\")[] ",
        "---@field signedIn? boolean ", "---@field customerID? glass.Presence ",
        "---@alias glass.Condition string|boolean|glass.Tests\n",
        "---@class (exact) glass.Overlay: table<\"name\"|\"when\"|\"beats\"|\"currency\"|",
        "---@field overlays? glass.Overlay[] ", "---@field conditions? table<string, glass.Condition> ",
        "---@field attributes? table<string, glass.Attribute> ", "---@field when glass.Condition ",
        // Flags, with the tables of shares.
        "---@field flags? table<string, glass.Flag> ", "---@field rules? glass.FlagRule[] ",
        "---@class (exact) glass.FlagRule: table<\"name\"|\"when\"|\"value\"|\"variant\"|\"rollout\"|\"split\", any>",
        "---@field rollout? glass.Rollout ", "---@field split? glass.Split ", "---@field percent number ",
        "---@field kind? \"release\"|\"experiment\"|\"operations\"|\"permission\" ",
        "---@field weights (string|number)[][] ", "---@field layers? table<string, glass.Layer> ",
        // Directives stand for the base market's value, whatever its type.
        "---@type any\nunset = nil", "---@return glass.Market\nfunction market(values) end",
        // Members that scripts read.
        "---@field config glass.Configuration ", "---@class (exact) glass.Configuration.Platform.Networking.Retry\n",
        "---@field maxRetries integer ", "---@field retry glass.Configuration.Platform.Networking.Retry ",
        "---@field consumerKey string ",
        // Names are enumerations, so any other name is an error.
        "---@alias glass.MarketID \"ca\"|\"mx\"|\"us\"\n", "---@alias glass.RoutableID \"account\"|",
        "|\"flyers\"|", "---@alias glass.PreconditionName \"appStarted\"|",
        "---@alias glass.ServiceName \"", "|\"AppInfoAPI\"|", "---@param routable glass.RoutableID ",
        "---@param name glass.PreconditionName ", "---@param id glass.MarketID ", "---@param name glass.ServiceName ",
        // Results.
        "---@return glass.Explanation\n", "---@field outcome \"routed\"|\"waiting\"|",
        "---@field routable? glass.RoutableID ",
    ])
    func annotationDetectsMistake(annotation: String) {
        #expect(Self.withMarkets.contains(annotation), "\(annotation)")
    }

    /// The stubs for the shipped markets.
    private static let withMarkets: String = {
        do {
            let folder = MarketFolder(path: MarketFixture.repository.appending(path: "markets").path)
            return stubs(try EditorStubs.Markets(of: MarketLoader(.platform, folder: folder, secrets: { _ in nil })))
        } catch {
            return "\(error)"
        }
    }()

    @Test func documentedMembersAreRegistered() throws {
        let pairs: [(LuaInterface.Class, LuaObjectType)] = [
            (LuaInterface.market, ScriptMarket.type), (LuaInterface.container, ScriptMarket.container),
            (LuaInterface.preconditions, ScriptMarket.preconditions),
            (LuaInterface.expectation, ScriptExpectation.type), (LuaInterface.navigation, LuaNavigation.type),
        ]
        for (described, registered) in pairs {
            #expect(described.memberNames == registered.memberNames, "\(described.name)")
        }
    }

    @Test func documentedFunctionsAreGlobal() throws {
        let state = try LuaState(profile: .script, limits: .script)
        let names = try state.perform { context in
            try GlassModule(markets: MarketLoader(.platform, folder: MarketFolder(path: "."))).install(in: context)
            guard case .table(let table) = try context.global("glass") else { return [String]() }
            return table.fields.compactMap(\.key.stringValue).sorted()
        }
        #expect(names == LuaInterface.module.memberNames)
    }

    @Test func documentedFunctionsOfPoliciesAndTestsAreGlobal() throws {
        func names(_ install: @escaping @Sendable (LuaContext) throws -> Void) throws -> [String] {
            try LuaState(profile: .script, limits: .script).perform { context in
                try install(context)
                guard case .table(let table) = try context.global("glass") else { return [String]() }
                return table.fields.compactMap(\.key.stringValue).sorted()
            }
        }
        let ofPolicies = try names { try PolicyModule(file: "a.lua", shownFile: "a.lua").install(in: $0) }
        #expect(ofPolicies == LuaInterface.policyFunctions.map(\.name).sorted())
        let loader = MarketLoader(.platform, folder: MarketFolder(path: "."))
        var tests = ScriptTests()
        tests.functions = PolicyTestHarness(policies: .none, markets: loader).functions
        let ofTests = try names { [tests] in try GlassModule(markets: loader, tests: tests).install(in: $0) }
        #expect(ofTests == (LuaInterface.module.memberNames + LuaInterface.testFunctions.map(\.name)).sorted())
        #expect(LuaInterface.fixture.memberNames == PolicyFixture.type.memberNames)
        #expect(text.contains("---@param judge fun(market: glass.PolicyMarket, deny: fun("))
        #expect(text.contains("---@overload fun(name: string, options: { severity?: "))
        #expect(text.contains("function glass.fixture(market) end"))
    }

    /// A market file that uses a directive loads; one that uses an unknown name does not.
    @Test func documentedDirectivesExistInMarketFiles() throws {
        let words = LuaInterface.words.map(\.name) + LuaInterface.values.map(\.name)
        for word in words {
            #expect(
                try MarketFixture.diagnostics(of: "currency = type(\(word)) == 'nil' and 1 or 'EUR'") == "", "\(word)")
        }
        #expect(try MarketFixture.diagnostics(of: "currency = type(postpend)").contains("postpend"))
    }
}
