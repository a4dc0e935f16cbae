#if SwiftConfiguration
    import Configuration
    import GlassSchema

    /// The values of a market at one time.
    struct MarketSnapshot: ConfigSnapshot {
        let providerName: String
        /// The effective configuration; nil if there is no market.
        let root: ConfigurationNode?
        let decoder: any ConfigBytesFromStringDecoder
        let secrets: @Sendable (String) -> String?

        func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws(MarketProviderError) -> LookupResult {
            let name = key.components.joined(separator: ".")
            var isSecret = false
            // The next provider may have a key that is missing here, or a secret that is not set.
            guard let written = root?.value(at: key.components), let value = revealed(written, &isSecret) else {
                return LookupResult(encodedKey: name, value: nil)
            }
            guard let content = content(of: value, as: type) else {
                throw .notConvertible(key: name, found: written.found, type: type.rawValue)
            }
            return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: isSecret))
        }

        /// The value with the values of its secrets; nil if one is not set.
        private func revealed(_ value: ConfigurationValue, _ isSecret: inout Bool) -> ConfigurationValue? {
            switch value {
            case .secret(let secret):
                isSecret = true
                return secrets(secret.name).map(ConfigurationValue.string)
            case .list(let nodes):
                let values = nodes.compactMap { revealed($0.value, &isSecret) }
                return values.count == nodes.count ? .list(values.map { ConfigurationNode($0) }) : nil
            default: return value
            }
        }

        private func content(of value: ConfigurationValue, as type: ConfigType) -> ConfigContent? {
            switch type {
            case .string: value.string.map(ConfigContent.string)
            case .int: value.integer.map(ConfigContent.int)
            case .double: value.double.map(ConfigContent.double)
            case .bool: value.boolean.map(ConfigContent.bool)
            case .bytes: bytes(value).map(ConfigContent.bytes)
            case .stringArray: value.elements(\.string).map(ConfigContent.stringArray)
            case .intArray: value.elements(\.integer).map(ConfigContent.intArray)
            case .doubleArray: value.elements(\.double).map(ConfigContent.doubleArray)
            case .boolArray: value.elements(\.boolean).map(ConfigContent.boolArray)
            case .byteChunkArray: value.elements(bytes).map(ConfigContent.byteChunkArray)
            }
        }

        private func bytes(_ value: ConfigurationValue) -> [UInt8]? { value.string.flatMap(decoder.decode) }
    }

    extension ConfigurationNode {
        /// The value at the components of a key. The elements of a list count from 1, as in Lua.
        fileprivate func value(at components: [String]) -> ConfigurationValue? {
            components.reduce(Optional(value)) { value, component in
                switch value {
                case .map(let entries)?: entries[component]?.value
                case .list(let nodes)?:
                    Int(component).flatMap { $0 > 0 && $0 <= nodes.count ? nodes[$0 - 1].value : nil }
                default: nil
                }
            }
        }
    }

    extension ConfigurationValue {
        fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

        fileprivate var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }

        fileprivate var integer: Int? {
            switch self {
            case .integer(let number): number
            case .number(let number): Int(exactly: number)
            default: nil
            }
        }

        fileprivate var double: Double? {
            switch self {
            case .integer(let number): Double(number)
            case .number(let number): number
            default: nil
            }
        }

        /// The elements of a list; nil for another value, or if an element is of another kind.
        fileprivate func elements<Element>(_ element: (ConfigurationValue) -> Element?) -> [Element]? {
            switch self {
            case .emptyTable: return []
            case .list(let nodes):
                let elements = nodes.compactMap { element($0.value) }
                return elements.count == nodes.count ? elements : nil
            default: return nil
            }
        }
    }
#endif
