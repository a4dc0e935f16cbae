import GlassContainer
import GlassInspector
import GlassMarkets

/// The services of a module: by area, with what each needs and what is wrong.
struct ServicesAnswer: Encodable {
    struct Entry: Encodable {
        let area: String
        let service: ServiceOutput
        @Nullable var problem: String?
    }

    let market: String
    let services: [Entry]

    /// Describes the services of a module. Makes none.
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
    /// The services of a module, as they declare what they need: nothing is made, so what is wrong can be seen.
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
    /// What the container finds wrong, by the service that it is about.
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
