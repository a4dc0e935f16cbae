#if SwiftConfiguration
    public import Configuration
    import GlassBase
    public import GlassMarkets

    /// Provides the values of a market to code that reads its configuration through swift-configuration.
    ///
    /// ```swift
    /// let reader = ConfigReader(providers: [EnvironmentVariablesProvider(), MarketProvider("ca", in: store)])
    /// let retries = reader.int(forKey: "platform.networking.retry.maxRetries", default: 3)
    /// ```
    ///
    /// The keys are those of the market. Each key that the market can set has a value, if only its default. The elements of
    /// a list count from 1, as in Lua: `loyalty.tiers.1`. A secret that is not set has no value, so the next provider is
    /// asked.
    public struct MarketProvider: ConfigProvider {
        /// The type's name with the market's id.
        public let providerName: String
        private let decoder: any ConfigBytesFromStringDecoder
        private let secrets: @Sendable (String) -> String?
        private let source: Source
        private let latest = Lock<(market: WeakMarket, snapshot: MarketSnapshot)?>(nil)

        private enum Source {
            case market(Market)
            case store(MarketStore, id: String)
        }

        /// A market that may be replaced, and must then be able to end.
        private struct WeakMarket {
            weak var market: Market?
        }

        /// Creates a provider of one market, whose values never change.
        ///
        /// - Parameters:
        ///   - market: The market.
        ///   - decoder: Decodes strings that are read as bytes.
        ///   - secrets: Looks up the value of a secret by its name, like the same parameter of the market's source.
        public init(
            _ market: Market, decoder: some ConfigBytesFromStringDecoder = .base64,
            secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
        ) {
            self.init(.market(market), id: market.id, decoder, secrets)
        }

        /// Creates a provider of a store's market, whose values change when the market is reloaded.
        ///
        /// - Parameters:
        ///   - id: The market's id. No key has a value while the store does not have the market.
        ///   - store: The store.
        ///   - decoder: Decodes strings that are read as bytes.
        ///   - secrets: Looks up the value of a secret by its name, like the same parameter of the market's source.
        public init(
            _ id: String, in store: MarketStore, decoder: some ConfigBytesFromStringDecoder = .base64,
            secrets: @escaping @Sendable (String) -> String? = { ProcessEnvironment.value(of: $0) }
        ) {
            self.init(.store(store, id: id), id: id, decoder, secrets)
        }

        private init(
            _ source: Source, id: String, _ decoder: any ConfigBytesFromStringDecoder,
            _ secrets: @escaping @Sendable (String) -> String?
        ) {
            self.source = source
            self.decoder = decoder
            self.secrets = secrets
            providerName = "MarketProvider[\(id)]"
        }

        /// Returns the current value of a key.
        ///
        /// - Throws: ``MarketProviderError`` if the value is not of the type.
        public func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
            try current.value(forKey: key, type: type)
        }

        /// Returns the current value of a key; a market is already loaded.
        ///
        /// - Throws: ``MarketProviderError`` if the value is not of the type.
        public func fetchValue(forKey key: AbsoluteConfigKey, type: ConfigType) async throws -> LookupResult {
            try current.value(forKey: key, type: type)
        }

        /// Returns all current values.
        public func snapshot() -> any ConfigSnapshot { current }

        /// Provides the current value of a key, and each value that differs from the previous one.
        public func watchValue<Return: ~Copyable>(
            forKey key: AbsoluteConfigKey, type: ConfigType,
            updatesHandler: (ConfigUpdatesAsyncSequence<Result<LookupResult, any Error>, Never>) async throws -> Return
        ) async throws -> Return {
            try await watch { (snapshot) -> Result<LookupResult, MarketProviderError> in
                do throws(MarketProviderError) {
                    return .success(try snapshot.value(forKey: key, type: type))
                } catch {
                    return .failure(error)
                }
            } as: {
                $0.mapError { $0 as any Error }
            } handler: {
                try await updatesHandler(ConfigUpdatesAsyncSequence($0))
            }
        }

        /// Provides all current values, and again after each reload that changes one.
        public func watchSnapshot<Return: ~Copyable>(
            updatesHandler: (ConfigUpdatesAsyncSequence<any ConfigSnapshot, Never>) async throws -> Return
        ) async throws -> Return {
            try await watch(\.root) { [decoder, secrets, providerName] root -> any ConfigSnapshot in
                MarketSnapshot(providerName: providerName, root: root, decoder: decoder, secrets: secrets)
            } handler: {
                try await updatesHandler(ConfigUpdatesAsyncSequence($0))
            }
        }

        /// The current values, read once for each market.
        private var current: MarketSnapshot {
            let market =
                switch source {
                case .market(let market): market as Market?
                case .store(let store, let id): store.market(id)
                }
            return latest.withLock { latest in
                if let latest, let market, latest.market.market === market { return latest.snapshot }
                let snapshot = MarketSnapshot(
                    providerName: providerName, root: market?.effective, decoder: decoder, secrets: secrets)
                latest = (WeakMarket(market: market), snapshot)
                return snapshot
            }
        }

        /// Passes the current value to a handler, and then each value that differs from the previous one. If the handler is
        /// slower than the changes, it gets only the newest value.
        private func watch<Value: Equatable & Sendable, Element: Sendable, Return: ~Copyable>(
            _ read: @escaping @Sendable (MarketSnapshot) -> Value, as element: @escaping @Sendable (Value) -> Element,
            handler: (AsyncStream<Element>) async throws -> Return
        ) async throws -> Return {
            let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: .bufferingNewest(1))
            // Subscribed before the current value is read, so that no reload is missed in between.
            let events: AsyncStream<MarketEvent> =
                switch source {
                case .market: AsyncStream { $0.finish() }
                case .store(let store, _): store.events()
                }
            let first = read(current)
            continuation.yield(element(first))
            let forwarding = Task {
                var last = first
                for await _ in events {
                    let next = read(current)
                    if next != last { continuation.yield(element(next)) }
                    last = next
                }
            }
            defer { forwarding.cancel() }
            return try await handler(stream)
        }
    }
#endif
