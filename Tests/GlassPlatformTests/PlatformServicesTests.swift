import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A configuration with a value in every section.
func sampleConfig() -> PlatformConfig {
    var config = PlatformConfig()
    config.userDefaultsRegistration.suite = "com.example.\(UUID().uuidString)"
    config.userDefaultsRegistration.defaults = [
        "flag": .boolean(true), "count": .integer(1), "ratio": .number(2.5), "text": .string("t"),
    ]
    config.environment.default = "production"
    config.environment.environments = ["production": .init(), "staging": .init()]
    config.environment.environments["production"]?.services = [
        "api": "https://api.example.com/v1", "media": "https://m.example.com",
    ]
    config.environment.environments["staging"]?.services = [
        "api": "https://s.example.com/v1", "media": "https://ms.example.com",
    ]
    config.networking.defaultService = "api"
    config.appInfo.name = "Walmart México"
    config.appInfo.bundleIdentifier = "com.example.app"
    config.appInfo.version = "1.2.3"
    config.appInfo.build = 45
    config.appInfo.teamIdentifier = "ABCDE12345"
    config.urlSession.requestTimeoutSeconds = 7
    config.urlSession.maximumConnectionsPerHost = 3
    config.urlSession.headers = ["Accept-Language": "es-MX"]
    config.urlSession.cachePolicy = .returnCacheDataElseLoad
    config.urlSession.memoryCacheMegabytes = 2
    var cookie = CookieStorageConfiguration.Cookie()
    cookie.name = "store"
    cookie.value = "100"
    cookie.domain = ".example.com"
    config.cookieStorage.cookies = [cookie]
    config.address.country = "MX"
    config.address.fieldOrder = [.street, .city, .region, .postalCode]
    config.address.requiredFields = [.street, .postalCode]
    config.address.postalCodePattern = "[0-9]{5}"
    config.address.postalCodeExample = "11520"
    config.address.regions = []
    var region = AddressConfiguration.Region()
    region.code = "CMX"
    region.name = "Ciudad de México"
    config.address.regions = [region]
    return config
}

struct PlatformServicesTests {
    let container: Container
    let config = sampleConfig()
    /// The contents of a platform container: the services and their inputs.
    static let registered =
        (MarketModule.platform.services.map(\.name) + [
            "DeepLinkConfiguration", "MarketFlags", "MarketInstance", "PlatformConfig", "PlatformHost",
        ])
        .sorted()

    init() {
        container = Container()
        container.setupPlatformDependencies(
            with: config, deepLinking: DeepLinkConfiguration(schemes: ["walmart"]), host: .inMemory)
    }

    @Test func containerHasExactlyTheCatalog() {
        let registered = container.registrations.map(\.displayName).sorted()
        #expect(registered == Self.registered)
        #expect(MarketModule.platform.services.map(\.name) == MarketModule.platform.services.map(\.name).sorted())
    }

    @Test func everyDependencyIsRegisteredAndDeclared() {
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid, "\(report)")
        #expect(report.notChecked.isEmpty)
    }

    @Test func declaredDependenciesMatchRecordedOnes() {
        for service in MarketModule.platform.services {
            #expect(service.resolve(in: container) != nil, "\(service.name)")
        }
        for info in container.registrations {
            // The analytics are created by the first tracked link, and by the first exposure.
            let later: Set =
                ["DeepLinker", "FeatureFlags"].contains(info.displayName)
                ? [ServiceID((any AnalyticsTracking).self)] : []
            #expect(Set(info.requires ?? []).subtracting(later) == Set(info.dependencies), "\(info.displayName)")
        }
    }

    @Test func mockHasEveryService() {
        let mock = Container.mock
        let report = mock.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid, "\(report)")
        for service in MarketModule.platform.services { #expect(service.resolve(in: mock) != nil, "\(service.name)") }
        #expect(mock.registrations.map(\.displayName).sorted() == Self.registered)
    }

    @Test func unreferencedContainerIsFreedWithServices() {
        weak var gone: Container?
        weak var service: AnyObject?
        do {
            let container = Container()
            container.setupPlatformDependencies(with: config, host: .inMemory)
            for platformService in MarketModule.platform.services { _ = platformService.resolve(in: container) }
            gone = container
            service = container.get((any URLSessionConfigurationAPI).self)
            #expect(gone != nil && service != nil)
        }
        #expect(gone == nil)
        #expect(service == nil)
    }

    @Test func appInfoHasIdentifierAndBuild() {
        let info: any AppInfoAPI = container.get()
        #expect(info.applicationIdentifier == "ABCDE12345.com.example.app")
        #expect(info.build == 45)
    }

    @Test func userAgentIsASCIIAndNamesAppAndSystem() {
        let provider: any UserAgentProviding = container.get()
        let (device, system) = (GlassUserAgent.currentDevice, GlassUserAgent.currentSystem)
        #expect(provider.userAgent == "WalmartMexico/1.2.3 (\(device); \(system); com.example.app; build 45)")
        #expect(system.wholeMatch(of: /(Linux|macOS) [0-9]+\.[0-9]+/) != nil && !device.isEmpty)
    }

    @Test func environmentHasBaseURLPerService() throws {
        let environment: any EnvironmentAPI = container.get()
        #expect(environment.current == "production")
        #expect(environment.names == ["production", "staging"])
        #expect(environment.services == ["api", "media"])
        #expect(try environment.baseURL(for: "api").absoluteString == "https://api.example.com/v1")
        let error = #expect(throws: EnvironmentError.self) { try environment.baseURL(for: "apo") }
        #expect(error?.description == "environment \"production\" has no service \"apo\"; its services are api, media")
    }

    @Test func sessionConfigurationIsFreshCopy() {
        let api: any URLSessionConfigurationAPI = container.get()
        let made = api.makeConfiguration()
        #expect(made.timeoutIntervalForRequest == 7)
        #expect(made.httpMaximumConnectionsPerHost == 3)
        #expect(made.requestCachePolicy == .returnCacheDataElseLoad)
        #expect(made.urlCache?.memoryCapacity == 2 * 1024 * 1024)
        #expect(made.httpAdditionalHeaders?["Accept-Language"] as? String == "es-MX")
        #expect((made.httpAdditionalHeaders?["User-Agent"] as? String)?.contains("com.example.app") == true)
        #expect(made.httpCookieStorage === container.get((any CookieStorageAPI).self).storage)
        made.timeoutIntervalForRequest = 99
        #expect(api.makeConfiguration().timeoutIntervalForRequest == 7)
    }

    @Test func userAgentInMarketHeadersTakesPrecedence() {
        var config = config
        config.urlSession.headers["User-Agent"] = "Own/1"
        let container = Container()
        container.setupPlatformDependencies(with: config, host: .inMemory)
        let made = container.get((any URLSessionConfigurationAPI).self).makeConfiguration()
        #expect(made.httpAdditionalHeaders?["User-Agent"] as? String == "Own/1")
    }

    @Test func initialCookiesBelongToOneContainer() throws {
        let storage = container.get((any CookieStorageAPI).self)
        let url = try #require(URL(string: "https://www.example.com/a"))
        #expect(storage.cookies(for: url).map(\.name) == ["store"])
        #expect(storage.cookies(for: url).first?.isSecure == true)
        #expect(storage.cookies(for: try #require(URL(string: "http://www.example.com/a"))).isEmpty)
        let other = CookieStoragePlatformAPI(configuration: CookieStorageConfiguration())
        #expect(other.storage.cookies?.count == 0)
    }

    @Test func userDefaultsReturnRegisteredValues() {
        let defaults: any UserDefaultsRegistrationAPI = container.get()
        #expect(defaults.value(for: "flag") == .boolean(true))
        #expect(defaults.value(for: "count") == .integer(1))
        #expect(defaults.value(for: "ratio") == .number(2.5))
        #expect(defaults.value(for: "text") == .string("t"))
        #expect(defaults.value(for: "absent") == nil)
        #expect(defaults.registeredKeys == ["count", "flag", "ratio", "text"])
    }

    @Test func setValueOverridesRegisteredOne() throws {
        let defaults = try #require(
            container.get((any UserDefaultsRegistrationAPI).self) as? UserDefaultsRegistrationPlatformAPI)
        defaults.userDefaults.set(9, forKey: "count")
        defer { defaults.userDefaults.removePersistentDomain(forName: defaults.suite) }
        #expect(defaults.value(for: "count") == .integer(9))
    }

    @Test func marketsInOneProcessHaveSeparateDefaults() {
        let other = Container()
        var config = sampleConfig()
        config.userDefaultsRegistration.defaults = ["count": .integer(2)]
        other.setupPlatformDependencies(with: config, host: .inMemory)
        _ = other.get((any UserDefaultsRegistrationAPI).self)
        #expect(container.get((any UserDefaultsRegistrationAPI).self).value(for: "count") == .integer(1))
        #expect(other.get((any UserDefaultsRegistrationAPI).self).value(for: "count") == .integer(2))
        #expect(other.get((any UserDefaultsRegistrationAPI).self).value(for: "text") == nil)
    }

    @Test func addressIsValidatedByField() {
        let api: any AddressConfigurationAPI = container.get()
        #expect(api.isPostalCode("11520"))
        #expect(!api.isPostalCode("115200"))
        #expect(api.problems(in: [.street: "Nextengo 78", .postalCode: "02770", .region: "CMX"]) == [])
        #expect(
            api.problems(in: [.street: "", .postalCode: "27", .region: "CMZ"]).map(\.description) == [
                "street: is required",
                "region: \"CMZ\" is not a region of MX; did you mean \"CMX\"?",
                "postalCode: \"27\" is not a postal code, such as \"11520\"",
            ])
    }

    @Test func processInfoDescribesThisProcess() {
        let info: any AppProcessInfo = container.get()
        #expect(info.processIdentifier == ProcessInfo.processInfo.processIdentifier)
        #expect(info.physicalMemory > 0)
    }

    @Test func deepLinkerUsesSchemesOfMarket() {
        let linker: any DeepLinker = container.get()
        #expect(linker.urlSchemes == ["walmart"])
        #expect(container.deepLinker === linker)
    }

    @Test(
        arguments: [
            ("AppInfoAPI", "bundleIdentifier", [], "com.example.app"),
            ("EnvironmentAPI", "baseURL", ["media"], "https://m.example.com"),
            ("CookieStorageAPI", "names", ["https://example.com/"], ["store"]),
            ("UserDefaultsRegistrationAPI", "value", ["count"], 1),
            ("AddressConfigurationAPI", "isPostalCode", ["11520"], true),
            (
                "AddressConfigurationAPI", "problems", [["street": "x", "postalCode": "1"]],
                ["postalCode: \"1\" is not a postal code, such as \"11520\""]
            ),
            ("AppProcessInfo", "processIdentifier", [], .integer(Int(ProcessInfo.processInfo.processIdentifier))),
        ] as [(String, String, [ScriptValue], ScriptValue)])
    func scriptCallsService(name: String, method: String, arguments: [ScriptValue], result: ScriptValue)
        async throws
    {
        let service = try #require(MarketModule.platform.service(named: name)?.scriptObject(in: container))
        #expect(service.scriptTypeName == name)
        let called = try #require(service.scriptMethods.first { $0.name == method })
        #expect(try await called(arguments) == result)
    }

    @Test(arguments: [MarketModule.platform, .platform.overriding(services: Service.platformMocks)])
    func scriptMethodsHaveUniqueDocumentedNames(module: MarketModule) throws {
        for service in module.services {
            let callable = try #require(service.scriptObject(in: container), "\(service.name)")
            #expect(callable.scriptTypeName == service.name)
            let names = callable.scriptMethods.map(\.name)
            #expect(Set(names).count == names.count, "\(service.name)")
            #expect(callable.scriptMethods.allSatisfy { $0.summary.hasSuffix(".") }, "\(service.name)")
        }
    }

    @Test func overriddenServiceIsCalledFromScripts() async throws {
        let plain = MarketModule.platform.overriding(services: [
            Service((any UserAgentProviding).self, "Its own name.") { _ in UserAgentProvidingMock(userAgent: "own") }
        ])
        let object = try #require(
            plain.service(named: "UserAgentProviding")?.scriptObject(in: Container(module: plain)))
        #expect(object.scriptTypeName == "UserAgentProviding")
        let userAgent = try #require(object.scriptMethods.first { $0.name == "userAgent" })
        #expect(try await userAgent([]) == "own")

        // A service's own methods come before those of the protocol, and replace the ones with the same name.
        let telling = MarketModule.platform.overriding(services: [
            Service((any UserAgentProviding).self, "Says more.") { _ in TellingUserAgent() }
        ])
        let own = telling.service(named: "UserAgentProviding")?.scriptObject(in: Container(module: telling))
        #expect(own?.scriptTypeName == "TellingUserAgent")
        #expect(own?.scriptMethods.map(\.name) == ["more", "userAgent"])
        let replaced = try #require(own?.scriptMethods.last)
        #expect(try await replaced([]) == "its own")
    }
}

/// An app's service with its own methods for scripts.
private final class TellingUserAgent: UserAgentProviding, ScriptCallable {
    let userAgent = "own"
    let scriptTypeName = "TellingUserAgent"
    let scriptMethods = [
        ScriptMethod("more", [], "More.") { _ in .nil },
        ScriptMethod("userAgent", [], "Replaces that of the protocol.") { _ in "its own" },
    ]
}
