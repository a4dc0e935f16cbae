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
        /// Whether it is a list of regions, which have a rule of their own.
        let areRegions: Bool

        /// The included values of a market, one for each file.
        static func all(in lint: MarketLint) -> [Include] {
            guard let own = lint.market.origin.own?.position?.file else { return [] }
            var paths: [String: ConfigurationPath] = [:]
            for written in lint.written {
                guard !written.isInherited, let file = written.position?.file, file != own else { continue }
                let path = paths[file].map { $0.shared(with: written.path) } ?? written.path
                paths[file] = path
            }
            return paths.sorted { $0.key < $1.key }.map { file, path in
                let node = lint.source.node(at: path)
                let key = node?.keyPosition.flatMap { $0.file == own ? $0 : nil }
                return Include(
                    file: file.split(separator: "/").last.map(String.init) ?? file, path: path,
                    position: key ?? node?.position,
                    areRegions: lint.paths(.regions).contains(path))
            }
        }
    }
}

extension [MarketMentions] {
    /// The files of another market, in other languages than the market's: its texts were copied with it.
    var foreignTexts: [ConfusedMarket] {
        flatMap { market in
            market.includes.compactMap { include -> ConfusedMarket? in
                let word = include.file.prefix { $0.isLetter || $0.isNumber }.lowercased()
                guard include.path.elements.count > 1, !include.areRegions,
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
}

extension ConfigurationPath {
    /// The part that two paths begin with.
    fileprivate func shared(with other: ConfigurationPath) -> ConfigurationPath {
        ConfigurationPath(zip(elements, other.elements).prefix { $0 == $1 }.map(\.0))
    }
}
