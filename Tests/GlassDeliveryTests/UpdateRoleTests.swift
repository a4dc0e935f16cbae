@testable import GlassDelivery
import Testing

@Suite struct UpdateRoleTests {
    @Test func rolesAreNamedAsInTheSpecification() {
        #expect(UpdateRole.allCases.map(\.rawValue) == ["root", "timestamp", "snapshot", "targets"])
    }
}
