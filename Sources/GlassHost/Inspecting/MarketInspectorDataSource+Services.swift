import GlassContainer
import GlassInspector
import GlassMarkets

extension MarketInspectorDataSource {
    /// The services of the module, with their dependencies and problems. Services are not created.
    func services(of market: String) -> JSONObject {
        let problems = module.problems
        let services: [JSONObject] = module.services.map {
            [
                "area": $0.area, "service": ServiceDescription($0, nil, in: module).json, "problem": problems[$0.name],
            ]
        }
        return ["market": market, "services": services]
    }
}

extension ServiceDiagram {
    /// Creates a diagram from the declared dependencies of a module's services. Services are not created, so the
    /// diagram can show errors of the container.
    init(of module: MarketModule) {
        let problems = module.problems
        self.init(
            module.services.map { service in
                Service(
                    name: service.name, area: service.area, summary: service.summary,
                    needs: service.requires.map { "\($0)" }, hasOwnContainer: service.usesChildContainer,
                    problem: problems[service.name])
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
