import CLuaShims

/// Makes the Nth allocation of a state fail, once or for good, to prove that nothing breaks.
final class AllocationFault: @unchecked Sendable {
    // The state's thread writes `seen`; a test reads it when no work is under way.
    let pointer: UnsafeMutablePointer<glua_fault>

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - number: Which allocation fails, from 1; 0 for none.
    ///   - forGood: Whether all later ones fail too.
    init(at number: Int, forGood: Bool) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: glua_fault(seen: 0, fail_at: UInt64(number), for_good: forGood))
    }

    deinit {
        pointer.deallocate()
    }

    /// How many allocations were asked for.
    var seen: Int { Int(pointer.pointee.seen) }
}
