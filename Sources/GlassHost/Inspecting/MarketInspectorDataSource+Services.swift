import GlassContainer
import GlassInspector
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// The services of the module, with their dependencies, their problems, and the keys that configure them and differ
    /// from the default situation. Services are not created.
    func services(of market: String, _ markets: PageMarkets) throws -> JSONObject {
        let problems = module.problems
        let changed = try changedKeys(by: market, markets)
        let services: [JSONObject] = module.services.map {
            [
                "area": $0.area, "service": ServiceDescription($0, nil, in: module).json, "problem": problems[$0.name],
                "changed": $0.keys(of: changed).map(\.description),
            ]
        }
        return ["market": market, "services": services]
    }

    /// The keys of a market that differ from the default situation.
    func changedKeys(by market: String, _ markets: PageMarkets) throws -> [ConfigurationPath] {
        try markets.market(market)?.change(session.budget())?.keys.map(\.path) ?? []
    }
}

extension Service {
    /// The keys of a list that configure the service.
    fileprivate func keys(of paths: [ConfigurationPath]) -> [ConfigurationPath] {
        paths.filter { path in configuredBy.contains { path.elements.starts(with: $0.elements) } }
    }
}

extension ServiceDiagram {
    /// Creates a diagram from the declared dependencies of a module's services. Services are not created, so the
    /// diagram can show errors of the container.
    ///
    /// - Parameter changed: The keys that differ from the default situation.
    init(of module: MarketModule, changed: [ConfigurationPath] = []) {
        let problems = module.problems
        self.init(
            module.services.map { service in
                Service(
                    name: service.name, area: service.area, summary: service.summary,
                    needs: service.requires.map { "\($0)" }, hasOwnContainer: service.usesChildContainer,
                    problem: problems[service.name], isChanged: !service.keys(of: changed).isEmpty)
            })
    }
}

extension MarketModule {
    /// The errors that the container finds, by service.
    fileprivate var problems: [String: String] {
        var problems: [String: String] = [:]
        for finding in Container(module: self).validate(requiring: serviceTypes).findings {
            for service in finding.services {
                problems["\(service.type)", default: finding.message] = finding.message
            }
        }
        return problems
    }
}
