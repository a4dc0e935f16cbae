import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatform
import GlassPlatformMocks
import Testing

/// What every implementation of a service must do, live and mock alike.
struct ServiceContractTests {
    static let containers: [(String, @Sendable () -> Container)] = [
        ("mock", { .mock }),
        (
            "live",
            {
                let container = Container()
                container.setupPlatformDependencies(with: sampleConfig())
                return container
            }
        ),
    ]

    @Test(arguments: containers.map(\.0))
    func anUnknownServiceOfAnEnvironmentIsNamed(kind: String) throws {
        let environment: any EnvironmentAPI = try container(kind).get()
        #expect(environment.names.contains(environment.current))
        #expect(
            throws: EnvironmentError.unknownService(
                "?", environment: environment.current, services: environment.services)
        ) {
            try environment.baseURL(for: "?")
        }
        for service in environment.services { #expect(try environment.baseURL(for: service).host != nil) }
    }

    @Test(arguments: containers.map(\.0))
    func theExampleIsAPostalCodeAndRequiredFieldsAreShown(kind: String) throws {
        let address: any AddressConfigurationAPI = try container(kind).get()
        #expect(address.isPostalCode(address.postalCodeExample))
        #expect(!address.isPostalCode(address.postalCodeExample + "x"))
        #expect(Set(address.requiredFields).isSubset(of: address.fieldOrder))
        #expect(address.problems(in: [:]).map(\.field) == address.fieldOrder.filter(address.requiredFields.contains))
    }

    @Test(arguments: containers.map(\.0))
    func configurationsAreNewEachTime(kind: String) throws {
        let api: any URLSessionConfigurationAPI = try container(kind).get()
        #expect(api.makeConfiguration() !== api.makeConfiguration())
    }

    @Test(arguments: containers.map(\.0))
    func everyRegisteredKeyHasAValue(kind: String) throws {
        let defaults: any UserDefaultsRegistrationAPI = try container(kind).get()
        #expect(defaults.registeredKeys.allSatisfy { defaults.value(for: $0) != nil })
        #expect(defaults.value(for: "no such key") == nil)
    }

    @Test(arguments: containers.map(\.0))
    func theUserAgentFitsIntoAHeader(kind: String) throws {
        let provider: any UserAgentProviding = try container(kind).get()
        #expect(!provider.userAgent.isEmpty)
        #expect(provider.userAgent.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test(arguments: containers.map(\.0))
    func theProcessHasANumberAndMemory(kind: String) throws {
        let info: any AppProcessInfo = try container(kind).get()
        #expect(info.processIdentifier > 0 && info.physicalMemory > 0 && info.activeProcessorCount > 0)
    }

    @Test(arguments: containers.map(\.0))
    func theIdentityIsComplete(kind: String) throws {
        let info: any AppInfoAPI = try container(kind).get()
        #expect(info.applicationIdentifier == "\(info.teamIdentifier).\(info.bundleIdentifier)")
        #expect(!info.name.isEmpty && !info.version.isEmpty && info.build > 0)
    }

    @Test(arguments: containers.map(\.0))
    func aStorageStartsWithItsCookiesAndTakesMore(kind: String) throws {
        let cookies: any CookieStorageAPI = try container(kind).get()
        let before = cookies.storage.cookies?.count ?? 0
        let made = try #require(
            HTTPCookie(properties: [.name: "n", .value: "v", .domain: "shop.example.org", .path: "/"]))
        cookies.storage.setCookie(made)
        #expect(cookies.storage.cookies?.count == before + 1)
        #expect(cookies.cookies(for: try #require(URL(string: "https://shop.example.org/"))).map(\.value) == ["v"])
    }

    @Test(arguments: containers.map(\.0))
    func aDeepLinkerKeepsItsRoutablesAndPreconditions(kind: String) throws {
        let linker: any DeepLinker = try container(kind).get()
        try linker.register(routables: [StandardCartRoutable(container: Container())])
        #expect(linker.routables.map(\.id) == ["cart"])
        linker.declarePreconditions(["a", "b", "a"])
        #expect(linker.unmetPreconditions == ["a", "b"])
        linker.satisfyPrecondition("a")
        #expect(linker.unmetPreconditions == ["b"])
        linker.resetPrecondition("a")
        linker.removeDeeplinkPreconditionHandler(identifier: "b")
        #expect(linker.unmetPreconditions == ["a"])
    }

    @Test func theMockedDeepLinkerRecordsWhatItIsAskedFor() {
        let linker = DeepLinkerMock { $0.hasPrefix("bad") ? .unroutable(.noRoute) : .routed }
        #expect(linker.open("good://x").outcome == .routed)
        #expect(linker.route(deepLink: "bad://x") == false)
        #expect(linker.canRoute(deepLink: "good://y"))
        #expect(linker.opened == ["good://x", "bad://x"])
    }

    private func container(_ kind: String) throws -> Container {
        try #require(Self.containers.first { $0.0 == kind }).1()
    }
}

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
