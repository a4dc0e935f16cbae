import CLuaShims

/// Makes the Nth allocation of a state fail, once or for good, to prove that nothing breaks.
final class AllocationFault: @unchecked Sendable {  // the count is atomic
    // The pointer never changes, and what is behind it beside the count is written before anybody has it.
    let pointer: OpaquePointer

    /// Creates a fault.
    init(at number: Int, forGood: Bool) {
        guard let fault = glua_fault_new(UInt64(number), forGood) else { trap("there is no memory for a test's fault") }
        pointer = fault
    }

    deinit {
        glua_fault_free(pointer)
    }

    /// How many allocations were asked for; may be read while the state works.
    var seen: Int { Int(glua_fault_seen(pointer)) }
}
