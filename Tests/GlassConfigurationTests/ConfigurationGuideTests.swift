#if SwiftConfiguration
    import Configuration
    import GlassConfiguration
    import GlassMarkets
    import Testing

    // The examples of the guide about other configuration libraries, line by line; a test of the guides compares them.

    struct ConfigurationGuideTests {
        private func makeStore() -> MarketStore {
            let store = MarketStore(
                CompiledMarkets(ProviderMarket.module) { _ in Array(ProviderMarket.text(id: "ca").utf8) })
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
    }
#endif
