import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing
import MarketTesting

/// Containers as in apps and extensions: every service of every market, live and mocked, with and without files.
struct PlatformCompositionTests {
    @Test(arguments: MarketKind.allCases)
    func everyMarketHasAllServicesAndDependencies(kind: MarketKind) throws {
        let state = try StateFixture()
        defer { extendLifetime(state) }
        let container = try kind.container(stateFolder: state.url)
        // The inputs of services are registered too; a container without a market has no definition.
        let settings = ["DeepLinkConfiguration", "MarketFlags", "MarketInstance", "PlatformConfig", "PlatformHost"]
        let names = MarketModule.platform.services.map(\.name) + settings + (kind == .mock ? [] : ["MarketDefinition"])
        #expect(container.registrations.map(\.displayName).sorted() == names.sorted())
        let report = container.validate(requiring: MarketModule.platform.serviceTypes)
        #expect(report.isValid && report.notChecked.isEmpty, "\(report)")
    }

    @Test(arguments: MarketKind.allCases)
    func declaredDependenciesMatchRecordedOnes(kind: MarketKind) throws {
        let state = try StateFixture()
        defer { extendLifetime(state) }
        let container = try kind.container(stateFolder: state.url)
        for service in MarketModule.platform.services {
            #expect(service.resolve(in: container) != nil, "\(service.name)")
        }
        let settings: Set = [
            "DeepLinkConfiguration", "MarketFlags", "MarketInstance", "PlatformConfig", "PlatformHost",
            "MarketDefinition",
        ]
        for info in container.registrations where !settings.contains(info.displayName) {
            #expect(info.isResolved, "\(info.displayName)")
            // The analytics are created by the first tracked link, and by the first exposure.
            let later: Set =
                ["DeepLinker", "FeatureFlags"].contains(info.displayName)
                ? [ServiceID((any AnalyticsTracking).self)] : []
            #expect(Set(info.requires ?? []).subtracting(later) == Set(info.dependencies), "\(info.displayName)")
        }
        #expect(kind == .mock || !container.recordedEdges.isEmpty)
    }

    @Test(arguments: MarketKind.allCases)
    func intentsExtensionHasEveryServiceAndItsOwn(kind: MarketKind) throws {
        let state = try StateFixture()
        defer { extendLifetime(state) }
        let app = try kind.container(stateFolder: state.url)
        let intents = Container(parent: app)
        intents.register((any AppProcessInfo).self, requires: []) { _ in AppProcessInfoMock(processName: "Intents") }
        intents.register(
            (any SiriHandler).self, requires: [(any AppProcessInfo).self, (any StorageAPI).self]
        ) { container in
            OrderSiriHandler(process: container.get(), storage: container.get())
        }
        let report = intents.validate(requiring: MarketModule.platform.serviceTypes + [(any SiriHandler).self])
        #expect(report.isValid && report.notChecked.isEmpty, "\(report)")
        for service in MarketModule.platform.services {
            #expect(service.resolve(in: intents) != nil, "\(service.name)")
        }

        let handler: any SiriHandler = intents.get()
        #expect(try handler.handle("reorder") == "Intents: reorder")
        #expect(try app.get((any StorageAPI).self).value(for: StorageKey<String>("siri", "last")) == "reorder")
        #expect(app.get((any AppProcessInfo).self).processName != "Intents")
        #expect(app.getIfRegistered((any SiriHandler).self) == nil)
        #expect(intents.get((any Networking).self) === app.get((any Networking).self))
    }

    @Test(arguments: MarketKind.allCases)
    func widgetHasEveryServiceAndKeepsItsOverrides(kind: MarketKind) throws {
        let state = try StateFixture()
        defer { extendLifetime(state) }
        let app = try kind.container(stateFolder: state.url)
        let widget = Container(parent: app)
        widget.register((any ApplicationURLHandler).self, requires: []) { _ in ApplicationURLHandlerMock() }
        widget.register((any WidgetTimeline).self, requires: [(any PreferencesStorage).self]) { container in
            PreferenceTimeline(preferences: container.get())
        }
        let report = widget.validate(requiring: MarketModule.platform.serviceTypes + [(any WidgetTimeline).self])
        #expect(report.isValid && report.notChecked.isEmpty, "\(report)")
        for service in MarketModule.platform.services { #expect(service.resolve(in: widget) != nil, "\(service.name)") }

        #expect(widget.get((any WidgetTimeline).self).entries == app.get((any PreferencesStorage).self).declared.count)
        #expect(widget.get((any ApplicationURLHandler).self) is ApplicationURLHandlerMock)
        #expect(widget.get((any ApplicationURLHandler).self) !== app.get((any ApplicationURLHandler).self))
    }

    @Test func tableInDocumentationIsComplete() throws {
        let page = MarketFixture.repository.appending(path: "Sources/GlassPlatform/GlassPlatform.docc/GlassPlatform.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let (live, mock) = (try MarketKind.us.container(), Container.mock)
        let expected = try MarketModule.platform.services.map { service in
            let mocked = try #require(service.resolve(in: mock))
            // The only mock that wraps the service instead of implementing it.
            let deepLinker = (mocked as? any DeepLinker).flatMap { DeepLinkerMock(behind: $0) }
            let mockName = deepLinker.map { "\(type(of: $0))" } ?? "\(type(of: mocked))"
            let implementation = try #require(service.resolve(in: live))
            let keys = service.configuredBy.map(\.description).joined(separator: ", ")
            return "| \(service.name)\(service.usesChildContainer ? " *" : "") | \(type(of: implementation)) "
                + "| \(mockName) | \(keys.isEmpty ? "—" : keys) |"
        }
        #expect(rows.count == expected.count)
        for (row, beginning) in zip(rows, expected) {
            #expect(row.replacing("`", with: "").hasPrefix(beginning), "\(row)")
        }
    }

    @Test func extensionWithoutAppReportsMissingServices() {
        let intents = Container()
        intents.register((any AppProcessInfo).self, requires: []) { _ in AppProcessInfoMock() }
        intents.register((any SiriHandler).self, requires: [(any StorageAPI).self]) { container in
            OrderSiriHandler(process: AppProcessInfoMock(), storage: container.get())
        }
        let missing = intents.validate(requiring: MarketModule.platform.serviceTypes).findings(.missing)
        let text = missing.map(\.description).joined(separator: "\n")
        for service in MarketModule.platform.services where service.name != "AppProcessInfo" {
            #expect(text.contains(service.name), "\(service.name)")
        }
    }

    @Test(
        arguments: [
            (
                .us,
                [
                    .recipient: "Chicago City Hall", .street: "121 N LaSalle St", .city: "Chicago",
                    .region: "illinois", .postalCode: "60602",
                ],
                ["Chicago City Hall", "121 N LaSalle St", "Chicago, IL 60602"]
            ),
            (
                .ca,
                [
                    .recipient: "Hôtel de ville de Montréal", .street: "275, rue Notre-Dame Est", .unit: "1",
                    .city: "Montréal", .region: "Quebec", .postalCode: "h2y1c6",
                ],
                ["Hôtel de ville de Montréal", "1-275, rue Notre-Dame Est", "Montréal QC  H2Y 1C6"]
            ),
            (
                .mx,
                [
                    .recipient: "Palacio Municipal de Guadalajara", .street: "Av. Hidalgo 400", .unit: "Planta alta",
                    .neighborhood: "Centro", .postalCode: "44100", .city: "Guadalajara", .region: "JAL",
                    .phone: "33 3837 4400",
                ],
                [
                    "Palacio Municipal de Guadalajara", "Av. Hidalgo 400, Planta alta", "Col. Centro",
                    "44100 Guadalajara, Jalisco",
                ]
            ),
        ] as [(MarketKind, [AddressField: String], [String])])
    func addressIsValidOnlyInItsCountry(
        kind: MarketKind, fields: [AddressField: String], lines: [String]
    ) throws {
        for other in [MarketKind.us, .ca, .mx] {
            let address: any AddressConfigurationAPI = try other.container().get()
            #expect(address.problems(in: fields).isEmpty == (other == kind), "\(other)")
            if other == kind { #expect(address.lines(for: fields) == lines) }
        }
    }
}

/// A service that a Siri extension adds.
private protocol SiriHandler: Sendable {
    func handle(_ intent: String) throws -> String
}

private struct OrderSiriHandler: SiriHandler {
    let process: any AppProcessInfo
    let storage: any StorageAPI

    func handle(_ intent: String) throws -> String {
        try storage.set(intent, for: StorageKey<String>("siri", "last"))
        return "\(process.processName): \(intent)"
    }
}

/// A service that a widget adds.
private protocol WidgetTimeline: Sendable {
    var entries: Int { get }
}

private struct PreferenceTimeline: WidgetTimeline {
    let entries: Int

    init(preferences: any PreferencesStorage) { entries = preferences.declared.count }
}

/// The kinds of containers: one for each shipped market, live, and one with mocks.
enum MarketKind: String, CaseIterable, CustomTestStringConvertible {
    case us, ca, mx, mock

    var testDescription: String { rawValue }

    /// A new container.
    ///
    /// - Parameter stateFolder: Where live services store data; `nil` keeps it in memory.
    func container(stateFolder: URL? = nil) throws -> Container {
        self == .mock ? .mock : try Self.market(rawValue, stateFolder: stateFolder).container
    }

    /// One of the shipped markets, with live services.
    static func market(_ id: String, stateFolder: URL? = nil) throws -> Market {
        let module = MarketModule.platform.overriding(services: [.host(PlatformHost(stateFolder: stateFolder))])
        let loader = MarketLoader(
            module, folder: MarketFolder(path: MarketFixture.repository.appending(path: "markets").path),
            secrets: { _ in nil })
        return try loader.load(id)
    }
}

/// A temporary state folder, removed with the object.
final class StateFixture: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "glass-composition-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)  // a leftover in the temporary folder does no harm
    }
}
