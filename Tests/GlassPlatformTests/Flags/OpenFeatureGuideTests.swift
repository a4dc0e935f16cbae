import Foundation
import GlassContainer
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

// The examples of the guide about OpenFeature, line by line; a test of the guides compares them.

@Suite(.serialized)
struct OpenFeatureGuideTests {
    private func market(_ host: PlatformHost = PlatformHost()) throws -> Market {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Upgrade/compiled/4/us.json").standardizedFileURL
        let module = MarketModule.platform.overriding(services: [.host(host)])
        return try CompiledMarkets(module, secrets: { _ in nil }) { _ in try Array(Data(contentsOf: file)) }.load("us")
    }

    @Test func marketAnswersOpenFeature() async throws {
        let market = try market()
        await OpenFeatureAPI.shared.setProviderAndWait(provider: MarketFlagProvider(market))
        let provider = MarketFlagProvider(market)
        let found = try provider.getStringEvaluation(key: "searchRanker", defaultValue: "", context: nil)
        #expect(found.value == "bm25" && found.variant == "control" && ["DEFAULT", "SPLIT"].contains(found.reason))
        let checkout = try provider.getBooleanEvaluation(key: "newCheckout", defaultValue: true, context: nil)
        #expect(!checkout.value && checkout.reason == "DEFAULT")
        let unknown = try provider.getIntegerEvaluation(key: "nothing", defaultValue: 7, context: nil)
        #expect(unknown.value == 7 && unknown.reason == "ERROR")
        let user = "u1"
        let attributes = ["market": Value.string(market.id)]
        let context = ImmutableContext(targetingKey: user, structure: ImmutableStructure(attributes: attributes))
        OpenFeatureAPI.shared.setEvaluationContext(evaluationContext: context)
        let told = OpenFeatureAPI.shared.getEvaluationContext() as? ImmutableContext
        #expect(told?.structure.attributes == ["market": .string("us")])
    }

    @Test func marketAsksOpenFeature() async throws {
        struct Remote: FeatureProvider {
            struct Metadata: ProviderMetadata { let name: String? = "remote" }
            let hooks: [any Hook] = []
            let metadata: any ProviderMetadata = Metadata()
            func initialize(initialContext: (any EvaluationContext)?) async throws {}
            func onContextSet(
                oldContext: (any EvaluationContext)?, newContext: any EvaluationContext
            ) async throws {}
            func observe() -> AnyPublisher<ProviderEvent?, Never> { AnyPublisher() }
            func getBooleanEvaluation(
                key: String, defaultValue: Bool, context: (any EvaluationContext)?
            ) throws -> ProviderEvaluation<Bool> {
                ProviderEvaluation(value: key == "newCheckout" ? true : defaultValue)
            }
            func getStringEvaluation(
                key: String, defaultValue: String, context: (any EvaluationContext)?
            ) throws -> ProviderEvaluation<String> { ProviderEvaluation(value: defaultValue) }
            func getIntegerEvaluation(
                key: String, defaultValue: Int64, context: (any EvaluationContext)?
            ) throws -> ProviderEvaluation<Int64> { ProviderEvaluation(value: defaultValue) }
            func getDoubleEvaluation(
                key: String, defaultValue: Double, context: (any EvaluationContext)?
            ) throws -> ProviderEvaluation<Double> { ProviderEvaluation(value: defaultValue) }
            func getObjectEvaluation(
                key: String, defaultValue: Value, context: (any EvaluationContext)?
            ) throws -> ProviderEvaluation<Value> { ProviderEvaluation(value: defaultValue) }
        }
        await OpenFeatureAPI.shared.setProviderAndWait(provider: Remote())
        var host = PlatformHost()
        host.flagProviders = [OpenFeatureFlags()]
        let flags: any FeatureFlags = try market(host).container.get()
        let details = flags.details(FlagKey("newCheckout", default: false))
        #expect(details.value && details.provider == "openFeature")
        #expect(flags.details(FlagKey("searchRanker", default: "")).provider.hasPrefix("market us"))
    }

    /// The provider of the guide about moving flags.
    @Test func remoteServiceAnswersFirst() throws {
        var host = PlatformHost()
        host.flagProviders = [RemoteFlags(values: ["newCheckout": true])]
        let module = MarketModule.platform.overriding(services: [.host(host)])
        #expect(module.name == "platform")
        let flags: any FeatureFlags = try market(host).container.get()
        #expect(flags[.newCheckout])
    }

    /// The keys of the guide about a rollout.
    @Test func marketAnswersWithoutProvider() throws {
        let market = try market()
        let flags: any FeatureFlags = market.container.get()
        if flags[.newCheckout] { print("one page") }
        #expect(!flags[.newCheckout])
    }
}

extension FlagKey where Value == Bool {
    static let newCheckout = FlagKey("newCheckout", default: false)
}

struct RemoteFlags: FlagProvider {
    let name = "remote"
    let values: [String: Bool]

    func resolve(_ flag: String, as type: FlagType, in context: MarketContext) -> FlagResolution? {
        values[flag].map { .value(.boolean($0)) }
    }

    func changes() -> AsyncStream<Set<String>?> { AsyncStream { $0.finish() } }
}

final class MarketFlagProvider: FeatureProvider {
    struct Metadata: ProviderMetadata {
        let name: String? = "market"
    }

    let hooks: [any Hook] = []
    let metadata: any ProviderMetadata = Metadata()
    private let flags: any FeatureFlags
    private let events = EventHandler()

    init(_ market: Market) {
        flags = market.container.get()
    }

    func initialize(initialContext: (any EvaluationContext)?) async throws {}
    func onContextSet(oldContext: (any EvaluationContext)?, newContext: any EvaluationContext) async throws {}
    func observe() -> AnyPublisher<ProviderEvent?, Never> { events.observe() }

    func getBooleanEvaluation(
        key: String, defaultValue: Bool, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Bool> {
        answer(FlagKey(key, default: defaultValue)) { $0 }
    }

    func getStringEvaluation(
        key: String, defaultValue: String, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<String> {
        answer(FlagKey(key, default: defaultValue)) { $0 }
    }

    func getIntegerEvaluation(
        key: String, defaultValue: Int64, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Int64> {
        answer(FlagKey(key, default: Int(defaultValue))) { Int64($0) }
    }

    func getDoubleEvaluation(
        key: String, defaultValue: Double, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Double> {
        answer(FlagKey(key, default: defaultValue)) { $0 }
    }

    func getObjectEvaluation(
        key: String, defaultValue: Value, context: (any EvaluationContext)?
    ) throws -> ProviderEvaluation<Value> {
        throw OpenFeatureError.typeMismatchError
    }

    private func answer<Read, Answer>(
        _ key: FlagKey<Read>, _ convert: (Read) -> Answer
    ) -> ProviderEvaluation<Answer> {
        let details = flags.details(key)
        return ProviderEvaluation(
            value: convert(details.value), variant: details.variant, reason: details.reason.rawValue)
    }
}

struct OpenFeatureFlags: FlagProvider {
    let name = "openFeature"

    func resolve(_ flag: String, as type: FlagType, in context: MarketContext) -> FlagResolution? {
        let client = OpenFeatureAPI.shared.getClient()
        switch type {
        case .boolean:
            // OpenFeature does not report a missing flag, so compare the results for two defaults.
            let found = client.getBooleanValue(key: flag, defaultValue: false)
            guard found == client.getBooleanValue(key: flag, defaultValue: true) else { return nil }
            return .value(.boolean(found))
        default: return nil
        }
    }

    func changes() -> AsyncStream<Set<String>?> { AsyncStream { $0.finish() } }
}
