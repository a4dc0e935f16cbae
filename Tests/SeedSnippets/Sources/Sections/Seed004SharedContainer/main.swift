import Claims
import GlassContainer
import SampleServices

await Claims.check { claim in
    let (common1, common2) = common()
    claim("every container has the factory", common1 is MyService && common2 is MyService)
    claim("each makes its own", common1 !== common2)

    MyContainer.shared.commonService.register { MockService() }
    claim("a registration holds for the container it was made on", MyContainer.shared.commonService() is MockService)
    claim("and for no other one", Container.shared.commonService() is MyService)
    claim("each has a manager of its own", Container.shared.manager !== MyContainer.shared.manager)
}
