import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import Testing

/// Requirements for every implementation of a service, live and mock alike.
struct ServiceContractTests {
    @Test(arguments: ServiceKind.allCases)
    func unknownServiceOfEnvironmentIsReported(kind: ServiceKind) throws {
        let environment: any EnvironmentAPI = kind.container().get()
        #expect(environment.names.contains(environment.current))
        #expect(
            throws: EnvironmentError.unknownService(
                "?", environment: environment.current, services: environment.services)
        ) {
            try environment.baseURL(for: "?")
        }
        for service in environment.services { #expect(try environment.baseURL(for: service).host != nil) }
    }

    @Test(arguments: ServiceKind.allCases)
    func examplePostalCodeIsValidAndRequiredFieldsAreShown(kind: ServiceKind) throws {
        let address: any AddressConfigurationAPI = kind.container().get()
        #expect(address.isPostalCode(address.postalCodeExample))
        #expect(!address.isPostalCode(address.postalCodeExample + "x"))
        #expect(Set(address.requiredFields).isSubset(of: address.fieldOrder))
        #expect(address.problems(in: [:]).map(\.field) == address.fieldOrder.filter(address.requiredFields.contains))
    }

    @Test(arguments: ServiceKind.allCases)
    func configurationsAreNewEachTime(kind: ServiceKind) throws {
        let api: any URLSessionConfigurationAPI = kind.container().get()
        #expect(api.makeConfiguration() !== api.makeConfiguration())
    }

    @Test(arguments: ServiceKind.allCases)
    func everyRegisteredKeyHasValue(kind: ServiceKind) throws {
        let defaults: any UserDefaultsRegistrationAPI = kind.container().get()
        #expect(defaults.registeredKeys.allSatisfy { defaults.value(for: $0) != nil })
        #expect(defaults.value(for: "no such key") == nil)
    }

    @Test(arguments: ServiceKind.allCases)
    func userAgentIsValidHeaderValue(kind: ServiceKind) throws {
        let provider: any UserAgentProviding = kind.container().get()
        #expect(!provider.userAgent.isEmpty)
        #expect(provider.userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test(arguments: ServiceKind.allCases)
    func processHasIdentifierAndMemory(kind: ServiceKind) throws {
        let info: any AppProcessInfo = kind.container().get()
        #expect(info.processIdentifier > 0 && info.physicalMemory > 0 && info.activeProcessorCount > 0)
    }

    @Test(arguments: ServiceKind.allCases)
    func identityIsComplete(kind: ServiceKind) throws {
        let info: any AppInfoAPI = kind.container().get()
        #expect(info.applicationIdentifier == "\(info.teamIdentifier).\(info.bundleIdentifier)")
        #expect(!info.name.isEmpty && !info.version.isEmpty && info.build > 0)
    }

    @Test(arguments: ServiceKind.allCases)
    func storageStartsWithCookiesAndAcceptsMore(kind: ServiceKind) throws {
        let cookies: any CookieStorageAPI = kind.container().get()
        let before = cookies.storage.cookies?.count ?? 0
        let made = try #require(
            HTTPCookie(properties: [.name: "n", .value: "v", .domain: "shop.example.org", .path: "/"]))
        cookies.storage.setCookie(made)
        #expect(cookies.storage.cookies?.count == before + 1)
        #expect(cookies.cookies(for: try #require(URL(string: "https://shop.example.org/"))).map(\.value) == ["v"])
    }

    @Test(arguments: ServiceKind.allCases)
    func deepLinkerKeepsRoutablesAndPreconditions(kind: ServiceKind) throws {
        let linker: any DeepLinker = kind.container().get()
        linker.register(routables: [StandardCartRoutable(container: Container())])
        #expect(linker.routables.map(\.id) == ["cart"])
        linker.declarePreconditions(["a", "b", "a"])
        #expect(linker.unmetPreconditions == ["a", "b"])
        linker.satisfyPrecondition("a")
        #expect(linker.unmetPreconditions == ["b"])
        linker.resetPrecondition("a")
        linker.removeDeeplinkPreconditionHandler(identifier: "b")
        #expect(linker.unmetPreconditions == ["a"])
    }

    @Test func mockedDeepLinkerRecordsCalls() {
        let mock = DeepLinkerMock { $0.hasPrefix("bad") ? .unroutable(.noRoute) : .routed }
        let linker = mock.deepLinker
        #expect(linker.open("good://x").outcome == .routed)
        #expect(linker.route(deepLink: "bad://x") == false)
        #expect(linker.canRoute(deepLink: "good://y"))
        #expect(mock.opened == ["good://x", "bad://x"])
        #expect(DeepLinkerMock(behind: linker)?.opened == mock.opened)
        #expect(DeepLinkerMock(behind: DeepLinkRouter())?.opened == nil)
    }

    @Test func mockedDeepLinkerCallsHooksForFinalOutcomes() {
        let outcomes = Lock<[String]>([])
        let linker = DeepLinkerMock { $0.hasSuffix("later") ? .running : $0.hasSuffix("nowhere") ? nil : .routed }
            .deepLinker
        linker.outcomeHandler = { result in outcomes.withLock { $0.append("\(result.text) \(result.outcome.name)") } }
        #expect(linker.open("app://later").outcome == .running)
        linker.open("app://here")
        linker.open("no link")
        linker.open("app://nowhere")
        #expect(outcomes.withLock { $0 } == ["app://here routed", "no link routed", "app://nowhere unroutable"])
    }

    @Test func mockedDeepLinkerRunsItsRouter() throws {
        let mock = DeepLinkerMock(configuration: DeepLinkConfiguration(schemes: ["app"])) { _ in nil }
        let linker = mock.deepLinker
        linker.addRoutes(["a/:id"], waitForPreconditions: ["ready"]) { link, state in
            state.show("a", parameters: link.parameters.dictionary)
            return true
        }
        #expect(mock.patterns == ["a/:id"] && linker.table.patterns.map(\.text) == ["a/:id"])
        #expect(linker.open("app://a/1").outcome == .waiting(unmet: ["ready"]))
        #expect(linker.takeWaitingLinks() == ["app://a/1"] && linker.takeWaitingLinks().isEmpty)
        linker.satisfyPrecondition("ready")
        #expect(linker.open("app://a/2").navigation.screens.map(\.parameters) == [["id": "2"]])
        #expect(linker.explain("app://b").nearMisses.isEmpty && linker.explain("app://a/1").candidates.count == 1)
        #expect(mock.opened == ["app://a/1", "app://a/2"])
    }
}

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
