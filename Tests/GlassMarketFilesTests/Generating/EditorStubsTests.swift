import Foundation
import GlassContainer
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import LuaBridge
import Testing

@testable import GlassMarketFiles
@testable import GlassMarkets

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

    @Test func theStubsAreLua() throws {
        let state = try LuaState(profile: .script, limits: .script)
        try state.perform { context in
            _ = try context.load(LuaSource(text, chunkName: "glass.lua"))
        }
        #expect(lines.first == "---@meta")
    }

    @Test func everyClassIsDeclaredOnceAndEveryNamedClassIsDeclared() throws {
        let declared = lines.compactMap { line -> String? in
            guard line.hasPrefix("---@class ") || line.hasPrefix("---@alias ") else { return nil }
            let name = line.split(separator: " ").dropFirst().first { $0 != "(exact)" }
            return name.map { String($0.last == ":" ? $0.dropLast() : $0) }
        }
        #expect(Set(declared).count == declared.count)
        let name = /glass\.[A-Za-z][A-Za-z.]*/
        for line in lines where line.hasPrefix("---@") {
            let annotation = line.split(separator: " ", maxSplits: 2).last.map(String.init) ?? ""
            // The type ends at the first space; a summary may name a function.
            let type = annotation.split(separator: " ").first.map(String.init) ?? ""
            for match in type.matches(of: name) {
                #expect(declared.contains(String(match.output)), "\(line)")
            }
        }
    }

    @Test func everyKeyOfTheSchemaHasAFieldOfTheRightType() throws {
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
                "---@field maxRetries? integer How often a failed request is tried again. Default: `3`."))
        #expect(
            text.contains(
                "---@field account? boolean|glass.Routable The account page. Standard paths: `account`."))
        #expect(
            text.contains(
                "---@overload fun(self: glass.Container, name: \"EnvironmentAPI\"): glass.service.EnvironmentAPI"))
    }

    /// What a language server is told of each kind of mistake; `Tests/Stubs/run` asks one.
    @Test(arguments: [
        // A key that is none: the keys of a table are these and no others.
        "---@class (exact) glass.Market.Platform.Networking.Retry: table<\"maxRetries\"|",
        // A choice, and a value of another type.
        "---@field cachePolicy? \"useProtocolCachePolicy\"|", "---@field statuses? integer[] ",
        "---@field consumerKey? glass.Secret ", "---@class glass.Secret: userdata",
        // Words stand for what the extended market has, of whatever type.
        "---@type any\nunset = nil", "---@return glass.Market\nfunction market(values) end",
        // What a script reads is there.
        "---@field config glass.Configuration ", "---@class (exact) glass.Configuration.Platform.Networking.Retry\n",
        "---@field maxRetries integer How", "---@field retry glass.Configuration.Platform.Networking.Retry ",
        "---@field consumerKey string ",
        // Names are enumerations, which another word is none of.
        "---@alias glass.MarketID \"ca\"|\"mx\"|\"us\"\n", "---@alias glass.RoutableID \"account\"|",
        "|\"flyers\"|", "---@alias glass.PreconditionName \"appStarted\"|",
        "---@alias glass.ServiceName \"", "|\"AppInfoAPI\"|", "---@param routable glass.RoutableID ",
        "---@param name glass.PreconditionName ", "---@param id glass.MarketID ", "---@param name glass.ServiceName ",
        // Results.
        "---@return glass.Explanation\n", "---@field outcome \"routed\"|\"waiting\"|",
        "---@field routable? glass.RoutableID ",
    ])
    func aMistakeHasATypeThatRefusesIt(annotation: String) {
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

    @Test func theDescribedMembersAreTheRegisteredOnes() throws {
        let pairs: [(LuaInterface.Class, LuaObjectType)] = [
            (LuaInterface.market, ScriptMarket.type), (LuaInterface.container, ScriptMarket.container),
            (LuaInterface.preconditions, ScriptMarket.preconditions),
            (LuaInterface.expectation, ScriptExpectation.type), (LuaInterface.navigation, LuaNavigation.type),
        ]
        for (described, registered) in pairs {
            #expect(described.memberNames == registered.memberNames, "\(described.name)")
        }
    }

    @Test func theDescribedFunctionsAreTheGlobalOnes() throws {
        let state = try LuaState(profile: .script, limits: .script)
        let names = try state.perform { context in
            try GlassModule(markets: MarketLoader(.platform, folder: MarketFolder(path: "."))).install(in: context)
            guard case .table(let table) = try context.global("glass") else { return [String]() }
            return table.fields.compactMap(\.key.stringValue).sorted()
        }
        #expect(names == LuaInterface.module.memberNames)
    }

    @Test func theDescribedFunctionsOfPoliciesAndTestsAreTheGlobalOnes() throws {
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
        tests.bench = PolicyTestHarness(policies: .none, markets: loader)
        let ofTests = try names { [tests] in try GlassModule(markets: loader, tests: tests).install(in: $0) }
        #expect(ofTests == (LuaInterface.module.memberNames + LuaInterface.testFunctions.map(\.name)).sorted())
        #expect(LuaInterface.fixture.memberNames == PolicyFixture.type.memberNames)
        #expect(text.contains("---@param judge fun(market: glass.PolicyMarket, deny: fun("))
        #expect(text.contains("---@overload fun(name: string, options: { severity?: "))
        #expect(text.contains("function glass.fixture(market) end"))
    }

    /// A market file that uses each word loads; one that uses another does not.
    @Test func theDescribedWordsAreThoseOfMarketFiles() throws {
        let words = LuaInterface.words.map(\.name) + ["unset"]
        for word in words {
            #expect(
                try MarketFixture.diagnostics(of: "currency = type(\(word)) == 'nil' and 1 or 'EUR'") == "", "\(word)")
        }
        #expect(try MarketFixture.diagnostics(of: "currency = type(prepend)").contains("prepend"))
    }
}
