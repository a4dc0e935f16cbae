import Synchronization
import Testing

@testable import GlassContainer

@Suite struct CellTests {
    /// A reader may look at the mode just before another thread registers a factory of another shape.
    @Test(arguments: [true, false]) func aRegistrationIsNotTakenForWhatTheOneBeforeWas(isAsynchronous: Bool) throws {
        let container = Container()
        if isAsynchronous {
            container.registerAsync(A.self, scope: .unique) { _ in A() }
        } else {
            container.registerProvidingChild(A.self, scope: .unique) { _ in A() }
        }
        let cell = try #require(container.store.cell(Probe(A.self)))
        cell.pointee.mode.store(.registration, ordering: .relaxed)
        #expect(cell.directFactory(of: A.self) == nil)
    }
}
