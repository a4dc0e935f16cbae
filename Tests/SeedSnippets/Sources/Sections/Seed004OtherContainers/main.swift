import Claims
import GlassContainer

await Claims.check { claim in
    claim("another container's service may be missing", PaymentsContainer.shared.anotherService().optional == nil)
    let service = OptionalService()
    Container.shared.optionalService.register { service }
    claim("one that it has reaches across", PaymentsContainer.shared.anotherService().optional === service)
    claim("from every container of the kind", PaymentsContainer().anotherService().optional === service)
}
