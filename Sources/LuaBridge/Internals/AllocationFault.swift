import CLuaShims

/// Makes the Nth allocation of a state fail, once or permanently, to prove that nothing breaks.
final class AllocationFault: @unchecked Sendable {  // the count is atomic
    // The pointer never changes, and the fields behind it, except the count, are written before it is shared.
    let pointer: OpaquePointer

    /// Creates a fault.
    init(at number: Int, forGood: Bool) {
        guard let fault = glua_fault_new(UInt64(number), forGood) else { trap("not enough memory for a test's fault") }
        pointer = fault
    }

    deinit {
        glua_fault_free(pointer)
    }

    /// The number of requested allocations; can be read while the state is running.
    var seen: Int { Int(glua_fault_seen(pointer)) }
}
