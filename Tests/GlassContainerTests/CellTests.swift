import Synchronization
import Testing

@testable import GlassContainer

@Suite struct CellTests {
    /// A reader may load the mode just before another thread registers a factory of a different shape.
    @Test func replacedRegistrationIsNotReadAsItsPredecessor() throws {
        let container = Container()
        container.registerProvidingChild(A.self, scope: .unique) { _ in A() }
        let cell = try #require(container.store.cell(Probe(A.self)))
        cell.pointee.mode.store(.registration, ordering: .relaxed)
        #expect(cell.directFactory(of: A.self) == nil)
    }
}
