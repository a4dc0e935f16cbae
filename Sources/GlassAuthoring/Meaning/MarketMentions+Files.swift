import GlassBase
import GlassMarkets
import GlassSchema

extension MarketMentions {
    /// A value that the market's own file includes from another one.
    struct Include: Sendable, Equatable {
        /// The last part of the file's name, such as `mx_errors.lua`.
        let file: String
        let path: ConfigurationPath
        let position: SourcePosition?

        /// The included values of a market, one for each file.
        static func all(in meaning: MarketMeaning) -> [Include] {
            guard let own = meaning.market.origin.own?.position?.file else { return [] }
            var paths: [String: ConfigurationPath] = [:]
            for written in meaning.written {
                guard !written.isInherited, let file = written.position?.file, file != own else { continue }
                let path = paths[file].map { $0.shared(with: written.path) } ?? written.path
                paths[file] = path
            }
            return paths.sorted { $0.key < $1.key }.map { file, path in
                let node = meaning.source.node(at: path)
                let key = node?.keyPosition.flatMap { $0.file == own ? $0 : nil }
                return Include(
                    file: file.split(separator: "/").last.map(String.init) ?? file, path: path,
                    position: key ?? node?.position)
            }
        }
    }

    /// A cookie and the preference that it is named after, such as `assortmentStoreId` and `storeID`.
    struct Pair: Sendable, Equatable {
        let cookie: String
        let preference: String
        /// Their values, in this order.
        let values: [String]
        let path: ConfigurationPath
        let position: SourcePosition?

        /// The pairs of a market, as far as its own file sets one of the values.
        static func all(in meaning: MarketMeaning) -> [Pair] {
            let (cookies, keys): (ConfigurationPath, ConfigurationPath) = (
                "platform.cookieStorage.cookies", "platform.preferences.keys"
            )
            guard case .list(let nodes)? = meaning.source.node(at: cookies)?.value,
                case .map(let entries)? = meaning.source.node(at: keys)?.value
            else { return [] }
            return nodes.enumerated().flatMap { offset, node -> [Pair] in
                guard let name = node.node(at: "name")?.value.stringValue, let value = node.node(at: "value") else {
                    return []
                }
                return entries.inOrder.compactMap { key, entry -> Pair? in
                    guard key.utf8.count >= 5, name.lowercased().hasSuffix(key.lowercased()),
                        let other = entry.node(at: "default"), let texts = Self.texts([value, other])
                    else { return nil }
                    let isOwn = meaning.isOwn(value)
                    let path =
                        isOwn
                        ? cookies.appending(index: offset + 1).appending("value")
                        : keys.appending(key).appending("default")
                    return Pair(
                        cookie: name, preference: key, values: texts, path: path,
                        position: isOwn ? value.position : meaning.isOwn(other) ? other.position : nil)
                }
            }
        }

        /// The texts of values; nil if one is not a text or a whole number.
        private static func texts(_ nodes: [ConfigurationNode]) -> [String]? {
            let texts = nodes.compactMap { node -> String? in
                if case .integer(let number) = node.value { "\(number)" } else { node.value.stringValue }
            }
            return texts.count == nodes.count ? texts : nil
        }
    }
}

extension [MarketMentions] {
    /// The files of another market, in other languages than the market's: its texts were copied with it.
    var foreignTexts: [ConfusedMarket] {
        flatMap { market in
            market.includes.compactMap { include -> ConfusedMarket? in
                let word = include.file.prefix { $0.isLetter || $0.isNumber }.lowercased()
                // Regions have a rule of their own.
                guard include.path.elements.count > 1, include.path.lastKey != "regions",
                    word != market.id.lowercased(),
                    let owner = first(where: { $0.id.lowercased() == word }),
                    !market.bases.contains(owner.id), !owner.bases.contains(market.id),
                    owner.includes.contains(where: { $0.file == include.file }),
                    owner.languages.isDisjoint(with: market.languages)
                else { return nil }
                let languages = owner.languages.sorted().map(Country.languageName).joined(separator: ", ")
                return ConfusedMarket(
                    market: market.id,
                    finding: Finding(
                        .foreignName, severity: .warning, at: include.position, path: include.path,
                        subject: "\(include.file) \(owner.id)",
                        "\(include.file) is the file of the market \(owner.id), whose language is \(languages)",
                        hint: "include a file in a language of this market"))
            }
        }
    }

    /// The cookies that differ from their preference, while they are equal in all other markets.
    var unequalPairs: [ConfusedMarket] {
        flatMap { market in
            market.pairs.compactMap { pair -> ConfusedMarket? in
                guard pair.values[0] != pair.values[1], let position = pair.position else { return nil }
                let others = filter { $0.id != market.id }.flatMap(\.pairs).filter {
                    $0.cookie == pair.cookie && $0.preference == pair.preference
                }
                guard others.count >= 2, others.allSatisfy({ $0.values[0] == $0.values[1] }) else { return nil }
                return ConfusedMarket(
                    market: market.id,
                    finding: Finding(
                        .numbersDisagree, severity: .warning, at: position, path: pair.path,
                        subject: pair.values.joined(separator: " "),
                        "the cookie \(pair.cookie) is \(pair.values[0].quotedForMessage), but the preference "
                            + "\(pair.preference) is \(pair.values[1].quotedForMessage); "
                            + "in the other markets they are equal",
                        hint: "write the same value in both"))
            }
        }
    }
}

extension ConfigurationPath {
    /// The part that two paths begin with.
    fileprivate func shared(with other: ConfigurationPath) -> ConfigurationPath {
        ConfigurationPath(zip(elements, other.elements).prefix { $0 == $1 }.map(\.0))
    }
}
