import GlassDeliveryHost
import GlassMarkets
import Testing

@Suite struct DeliveryProgramTests {
    @Test func aProgramNamesItsModule() {
        struct Program: DeliveryProgram { static let module = MarketModule("shop") }
        #expect(Program.module.name == "shop")
    }
}
