#if SwiftConfiguration
    import Configuration
    import ConfigurationTesting
    import GlassBase
    import GlassConfiguration
    import GlassMarkets
    import GlassSchema
    import Testing

    @Suite(.timeLimit(.minutes(1)))
    struct MarketProviderTests {
        private func market(_ text: String = ProviderMarket.text()) throws -> Market {
            try CompiledMarkets(ProviderMarket.module) { _ in Array(text.utf8) }.load("t")
        }

        /// Looks a value up in a provider.
        private func value(_ key: String..., as type: ConfigType, in provider: MarketProvider) throws -> ConfigValue? {
            try provider.value(forKey: AbsoluteConfigKey(key), type: type).value
        }

        /// The suite's keys have no section around them.
        private func flat(_ provider: MarketProvider) -> some ConfigProvider {
            provider.mapKeys { key in
                let section = key.components.first == "other" ? ["compat"] : ["compat", "own"]
                return AbsoluteConfigKey(section + key.components, context: key.context)
            }
        }

        @Test func providerOfMarketIsCompatible() async throws {
            try await ProviderCompatTest(provider: flat(MarketProvider(market()))).runTest()
        }

        @Test func providerOfStoreIsCompatible() async throws {
            let store = MarketStore(CompiledMarkets(ProviderMarket.module) { _ in Array(ProviderMarket.text().utf8) })
            store.reload("t")
            try await ProviderCompatTest(provider: flat(MarketProvider("t", in: store))).runTest()
        }

        @Test func secretIsMarkedAndLookedUp() throws {
            let provider = MarketProvider(try market()) { "value of \($0)" }
            let secret = try #require(try value("compat", "password", as: .string, in: provider))
            #expect(secret == ConfigValue(.string("value of COMPAT_PASSWORD"), isSecret: true))
            #expect("\(secret)" == "[string: <REDACTED>]")
            let unset = MarketProvider(try market()) { _ in nil }
            #expect(try value("compat", "password", as: .string, in: unset) == nil)
            #expect(try value("compat", "password", as: .int, in: unset) == nil)
            let error = #expect(throws: MarketProviderError.self) {
                try value("compat", "password", as: .int, in: provider)
            }
            #expect(error?.description.contains("value of") == false)
        }

        @Test func listElementsCountFromOne() throws {
            let provider = MarketProvider(try market())
            let list = ["compat", "own", "inty", "array"]
            func element(_ index: String) throws -> ConfigContent? {
                try provider.value(forKey: AbsoluteConfigKey(list + [index]), type: .int).value?.content
            }
            #expect(try element("1") == .int(42) && element("2") == .int(24))
            for index in ["0", "3", "-1", "x", "9223372036854775807", "-9223372036854775808"] {
                #expect(try element(index) == nil)
            }
        }

        @Test func integersAndWholeNumbersAreInterchangeable() throws {
            let provider = MarketProvider(try market(ProviderMarket.text(double: #"{"$number":"7.0"}"#)))
            #expect(try value("compat", "own", "double", as: .int, in: provider)?.content == .int(7))
            #expect(try value("compat", "own", "int", as: .double, in: provider)?.content == .double(42))
        }

        @Test func valueOfAnotherTypeIsReported() throws {
            let provider = MarketProvider(try market())
            let error = #expect(throws: MarketProviderError.self) {
                try value("compat", "own", "string", as: .int, in: provider)
            }
            #expect(error?.description == "compat.own.string: expected int, the market has \"Hello\"")
            #expect(throws: MarketProviderError.self) {
                try value("compat", "own", "stringy", "array", as: .intArray, in: provider)
            }
        }

        @Test func storeWithoutMarketHasNoValues() throws {
            let store = MarketStore(CompiledMarkets(ProviderMarket.module) { _ in nil })
            #expect(try value("currency", as: .string, in: MarketProvider("t", in: store)) == nil)
        }

        @Test func watcherSeesReloadAndSnapshotStays() async throws {
            let text = Lock(ProviderMarket.text())
            let store = MarketStore(CompiledMarkets(ProviderMarket.module) { _ in Array(text.withLock { $0 }.utf8) })
            store.reload("t")
            let provider = MarketProvider("t", in: store)
            let reader = ConfigReader(provider: provider)
            let before = provider.snapshot()
            let seen = try await reader.watchInt(forKey: "compat.own.int", default: 0) { updates in
                var seen: [Int] = []
                for await value in updates {
                    seen.append(value)
                    if seen.count == 2 { break }
                    text.withLock { $0 = ProviderMarket.text(int: 7) }
                    store.reload("t")
                }
                return seen
            }
            #expect(seen == [42, 7])
            let key = AbsoluteConfigKey(["compat", "own", "int"])
            #expect(try before.value(forKey: key, type: .int).value?.content == .int(42))
            #expect(reader.int(forKey: "compat.own.int") == 7)
        }

        @Test func watcherIsToldOnlyOfOtherValues() async throws {
            let text = Lock(ProviderMarket.text())
            let store = MarketStore(CompiledMarkets(ProviderMarket.module) { _ in Array(text.withLock { $0 }.utf8) })
            store.reload("t")
            let key = AbsoluteConfigKey(["compat", "own", "bool"])
            let seen = try await MarketProvider("t", in: store).watchValue(forKey: key, type: .bool) { updates in
                var seen: [ConfigContent?] = []
                for await update in updates {
                    seen.append(try update.get().value?.content)
                    if seen.count == 2 { break }
                    for (int, bool) in [(8, true), (9, true), (9, false)] {
                        text.withLock { $0 = ProviderMarket.text(int: int, bool: bool) }
                        store.reload("t")
                    }
                }
                return seen
            }
            #expect(seen == [.bool(true), .bool(false)])
        }

        @Test func replacedMarketIsReleased() throws {
            let text = Lock(ProviderMarket.text())
            let store = MarketStore(CompiledMarkets(ProviderMarket.module) { _ in Array(text.withLock { $0 }.utf8) })
            store.reload("t")
            let provider = MarketProvider("t", in: store)
            weak let market = store.market("t")
            #expect(try value("compat", "own", "int", as: .int, in: provider)?.content == .int(42))
            store.retire("t")
            #expect(market == nil)
            #expect(try value("compat", "own", "int", as: .int, in: provider) == nil)
        }
    }
#endif
