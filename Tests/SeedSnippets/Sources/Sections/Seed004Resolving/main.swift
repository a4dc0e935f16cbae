import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    claim("calling the factory resolves the service", resolved() is MyService)
    claim("so does its function", Container.shared.service.resolve() is MyService)
}
