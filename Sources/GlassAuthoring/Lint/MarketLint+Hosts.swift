import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

extension MarketLint {
    /// The market's country: the first one that a key names, or else of its first locale. Nil if that has an error.
    var country: Country? {
        let place = placeOfCountry
        if let written = place.flatMap(source.node)?.value.stringValue { return Country(written) }
        guard place.map(market.isValid) != false, market.isValid("locales") else { return nil }
        return market.definition.locales.first.flatMap(LocaleCode.init)?.country.flatMap(Country.init)
    }

    /// The key of the market's country: the first one that is set, or else the first one that could be.
    var placeOfCountry: ConfigurationPath? {
        let all = paths(.country)
        return all.first { source.node(at: $0) != nil } ?? all.first
    }

    /// The market's own hosts whose pages the app may not open outside: those of the allowed domains are of another
    /// market.
    var unlistedHosts: [Finding] {
        let links = market.definition.deepLinking
        let (domains, hosts): (ConfigurationPath, ConfigurationPath) = (
            "deepLinking.allowedDomains", "deepLinking.universalLinks"
        )
        guard !links.allowedDomains.isEmpty else { return [] }
        let own = source.node(at: domains).flatMap { isOwn($0) ? $0 : nil }
        return links.universalLinks.enumerated().compactMap { offset, host -> Finding? in
            let path = hosts.appending(index: offset + 1)
            let universal = UniversalHost(host.lowercased())
            guard !links.allowedDomains.contains(where: { $0.contains(host: universal.example) }),
                let place = own ?? source.node(at: path).flatMap({ isOwn($0) ? $0 : nil })
            else { return nil }
            let bare = universal.fileHost
            let name = bare.hasPrefix("www.") ? String(bare.dropFirst("www.".count)) : bare
            // An inherited host and a placeholder have findings of their own.
            guard own == nil || source.node(at: hosts).map(isOwn) != false, !Placeholder.isDocumentation(host: host)
            else { return nil }
            return warning(
                .unlistedHost, at: place.keyPosition ?? place.position, path: own == nil ? path : domains,
                subject: host,
                "allowedDomains\(own == nil ? ", which is inherited," : "") does not list \(host.quotedForMessage), so "
                    + "pages of this host without a route cannot be opened in the browser",
                hint: "\(own == nil ? "write allowedDomains = {" : "add") { name = \(name.quotedForMessage), "
                    + "allowSubdomains = true }\(own == nil ? " }" : "")")
        }
    }

    /// The allowed domains that contain the sites of everybody in a country, such as `com.mx`.
    var publicSuffixes: [Finding] {
        written(below: "deepLinking.allowedDomains").compactMap { written in
            guard written.path.lastKey == "name", let text = written.text, DomainName(text.lowercased()).isSuffix else {
                return nil
            }
            return warning(
                .publicSuffix, at: written.position, path: written.path, subject: text,
                "\(text.quotedForMessage) is a public suffix, not a site: other companies have domains under it",
                hint: "write the site's own domain, such as \"walmart.\(text)\"")
        }
    }
}
