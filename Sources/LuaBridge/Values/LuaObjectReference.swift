/// A reference to a Swift object in one Lua state.
///
/// Passing it back to Lua passes the same userdata.
public final class LuaObjectReference: Sendable {
    let core: LuaCore
    let slot: UInt32
    private let identity: UInt64
    private let host: HostObject

    init(core: LuaCore, slot: UInt32, identity: UInt64, host: HostObject) {
        self.core = core
        self.slot = slot
        self.identity = identity
        self.host = host
    }

    deinit {
        core.release(slot)
    }

    /// The Swift object.
    public var object: any AnyObject & Sendable { host.object }

    /// The members that Lua can use.
    package var type: LuaObjectType { host.type }
}

extension LuaObjectReference: Equatable {
    /// Returns whether two references refer to the same userdata.
    ///
    /// - Parameters:
    ///   - left: A reference.
    ///   - right: Another reference.
    /// - Returns: True if it is the same userdata of the same state.
    public static func == (left: LuaObjectReference, right: LuaObjectReference) -> Bool {
        left.core === right.core && left.identity == right.identity
    }
}
