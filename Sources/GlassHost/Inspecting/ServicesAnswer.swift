import GlassContainer
import GlassInspector
import GlassMarkets

/// The services of a module, by area, with their dependencies and problems.
struct ServicesAnswer: Encodable {
    struct Entry: Encodable {
        let area: String
        let service: ServiceOutput
        @Nullable var problem: String?
    }

    let market: String
    let services: [Entry]

    /// Describes the services of a module without creating them.
    init(_ module: MarketModule, market: String) {
        self.market = market
        let problems = module.problems
        services = module.services.map { service in
            Entry(
                area: service.area, service: ServiceOutput(service, nil, in: module), problem: problems[service.name])
        }
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
