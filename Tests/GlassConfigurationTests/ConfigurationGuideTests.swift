#if SwiftConfiguration
    import Configuration
    import GlassConfiguration
    import GlassContainer
    import GlassMarkets
    import Testing

    // The examples of the guide about other configuration libraries, line by line; a test of the guides compares them.

    @Suite(.serialized)
    struct ConfigurationGuideTests {
        private func makeStore() -> MarketStore {
            let module = ProviderMarket.module.including(.flags)
            let store = MarketStore(CompiledMarkets(module) { _ in Array(ProviderMarket.text(id: "ca").utf8) })
            store.reload("ca")
            return store
        }

        @Test func readerAsksEnvironmentAndMarket() {
            let store = makeStore()
            let reader = ConfigReader(providers: [EnvironmentVariablesProvider(), MarketProvider("ca", in: store)])
            let retries = reader.int(forKey: "platform.networking.retry.maxRetries", default: 3)
            #expect(retries == 3)
            #expect(reader.int(forKey: "compat.own.int") == 42)
            let library = ConfigReader(provider: MarketProvider("ca", in: store).prefixKeys(with: "compat"))
            #expect(library.string(forKey: "own.string") == "Hello")
        }

        @Test func marketAnswersOpenFeature() async throws {
            let store = makeStore()
            await OpenFeatureAPI.shared.setProviderAndWait(provider: MarketFlags("ca", in: store))
            let provider = MarketFlags("ca", in: store)
            #expect(try provider.getBooleanEvaluation(key: "compat.own.bool", defaultValue: false, context: nil).value)
            #expect(try provider.getIntegerEvaluation(key: "compat.own.int", defaultValue: 0, context: nil).value == 42)
            #expect(
                try provider.getStringEvaluation(key: "compat.own.string", defaultValue: "", context: nil).value
                    == "Hello")
            #expect(
                try provider.getDoubleEvaluation(key: "compat.own.double", defaultValue: 0, context: nil).value == 3.14)
            #expect(throws: OpenFeatureError.flagNotFoundError(key: "compat.nothing")) {
                try provider.getBooleanEvaluation(key: "compat.nothing", defaultValue: false, context: nil)
            }
        }

        @Test func marketHasFlagService() async throws {
            let store = makeStore()
            let market = try #require(store.market("ca"))
            await OpenFeatureAPI.shared.setProviderAndWait(provider: MarketFlags("ca", in: store))
            let flags: any FeatureFlags = market.container.get()
            #expect(flags.isEnabled("compat.own.bool") && !flags.isEnabled("compat.nothing"))
            let user = "u1"
            let attributes = ["market": Value.string(market.id)]
            let context = ImmutableContext(targetingKey: user, structure: ImmutableStructure(attributes: attributes))
            OpenFeatureAPI.shared.setEvaluationContext(evaluationContext: context)
            let told = OpenFeatureAPI.shared.getEvaluationContext() as? ImmutableContext
            #expect(told?.structure.attributes == ["market": .string("ca")])
        }
    }

    final class MarketFlags: FeatureProvider {
        struct Metadata: ProviderMetadata {
            let name: String? = "markets"
        }

        let hooks: [any Hook] = []
        let metadata: any ProviderMetadata = Metadata()
        private let reader: ConfigReader
        private let events = EventHandler()

        init(_ id: String, in store: MarketStore) {
            reader = ConfigReader(provider: MarketProvider(id, in: store))
        }

        func initialize(initialContext: (any EvaluationContext)?) async throws {}
        func onContextSet(oldContext: (any EvaluationContext)?, newContext: any EvaluationContext) async throws {}
        func observe() -> AnyPublisher<ProviderEvent?, Never> { events.observe() }

        func getBooleanEvaluation(
            key: String, defaultValue: Bool, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Bool> {
            try answer(key, reader.bool(forKey: ConfigKey(key)))
        }

        func getStringEvaluation(
            key: String, defaultValue: String, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<String> {
            try answer(key, reader.string(forKey: ConfigKey(key)))
        }

        func getIntegerEvaluation(
            key: String, defaultValue: Int64, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Int64> {
            try answer(key, reader.int(forKey: ConfigKey(key)).map { Int64($0) })
        }

        func getDoubleEvaluation(
            key: String, defaultValue: Double, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Double> {
            try answer(key, reader.double(forKey: ConfigKey(key)))
        }

        func getObjectEvaluation(
            key: String, defaultValue: Value, context: (any EvaluationContext)?
        ) throws -> ProviderEvaluation<Value> {
            throw OpenFeatureError.typeMismatchError
        }

        /// OpenFeature uses the caller's default value if a flag is not found.
        private func answer<Answer>(_ key: String, _ value: Answer?) throws -> ProviderEvaluation<Answer> {
            guard let value else { throw OpenFeatureError.flagNotFoundError(key: key) }
            return ProviderEvaluation(value: value)
        }
    }

    protocol FeatureFlags: Sendable {
        func isEnabled(_ flag: String) -> Bool
    }

    struct OpenFeatureFlags: FeatureFlags {
        func isEnabled(_ flag: String) -> Bool {
            OpenFeatureAPI.shared.getClient().getBooleanValue(key: flag, defaultValue: false)
        }
    }

    extension MarketModule {
        static let flags = MarketModule(
            "flags",
            services: [
                Service((any FeatureFlags).self, isExternal: true, "Answers from the flag service.") { _ in
                    OpenFeatureFlags()
                }
            ])
    }
#endif
