/// An instance that a store caches, strongly or weakly.
@usableFromInline
class CachedInstance: @unchecked Sendable {  // by Factory's contract, not by proof
    // A service need not be Sendable; code that resolves one that isn't is responsible for where it's used. Everything
    // else is constant, and any thread may release it.

    let scope: Scope
    /// The time of its creation, in seconds of the store's clock.
    let created: Double
    /// Its position in the order of construction.
    let number: Int

    init(scope: Scope, created: Double, number: Int) {
        self.scope = scope
        self.created = created
        self.number = number
    }

    /// The memory that a reader may copy from without the store's lock; nil if there is none.
    var memory: UnsafeMutableRawPointer? { nil }
    /// Like `memory`, for a weakly cached instance: this object itself, as a `WeakInstance`.
    var weakMemory: UnsafeMutableRawPointer? { nil }
    /// The instance, for callers that don't know its type.
    var any: Any? { nil }
}

/// A strongly cached instance.
final class StrongInstance<Service>: CachedInstance, @unchecked Sendable {  // written once, in `init`
    // As `CachedInstance`; until `deinit`, the memory is only read.

    private let pointer: UnsafeMutablePointer<Service>
    private let allocation: UnsafeMutableRawPointer

    init(_ service: Service, scope: Scope, created: Double, number: Int) {
        // In its own cache lines. In those of the instance, whose reference count every reader changes, each read would
        // have to wait.
        let line = max(64, MemoryLayout<Service>.alignment)
        let size = (MemoryLayout<Service>.size + line) / line * line
        allocation = .allocate(byteCount: size, alignment: line)
        pointer = allocation.bindMemory(to: Service.self, capacity: 1)
        pointer.initialize(to: service)
        super.init(scope: scope, created: created, number: number)
    }

    deinit {
        pointer.deinitialize(count: 1)
        allocation.deallocate()
    }

    override var memory: UnsafeMutableRawPointer? { allocation }
    override var any: Any? { pointer.pointee }
    var service: Service { pointer.pointee }
}

/// A weakly cached instance, which lives as long as something else holds it.
@usableFromInline
final class WeakInstance: CachedInstance, @unchecked Sendable {  // written once, in `init`
    // As `CachedInstance`; the language allows any thread to read a weak constant.

    @usableFromInline weak let object: AnyObject?
    /// The bits of the service: a reference to `object`, and possibly the rest of an existential. They don't retain
    /// anything.
    @usableFromInline let bits: UnsafeMutableRawPointer

    init<Service>(_ service: Service, object: AnyObject, scope: Scope, created: Double, number: Int) {
        self.object = object
        bits = .allocate(byteCount: MemoryLayout<Service>.size, alignment: MemoryLayout<Service>.alignment)
        withUnsafeBytes(of: service) { [bits] in bits.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        super.init(scope: scope, created: created, number: number)
    }

    deinit {
        bits.deallocate()
    }

    override var any: Any? { object }
    override var weakMemory: UnsafeMutableRawPointer? { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the service, if something still holds it.
    ///
    /// Never runs a deinitializer, because the caller holds a stripe: when the reference that was taken here is
    /// released, the returned service already holds the object.
    @inlinable
    @inline(__always)
    func copy<Service>(as type: Service.Type) -> Service? {
        guard let object else { return nil }
        // The copy takes over the reference that was taken here. Counting a weakly referenced object takes about 20 ns,
        // because its count is stored elsewhere, and an ordinary copy would increment the count once more, only to
        // decrement it again.
        _ = Unmanaged.passRetained(object)
        return withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { copy in
            UnsafeMutableRawBufferPointer(copy).copyMemory(
                from: UnsafeRawBufferPointer(start: bits, count: MemoryLayout<Service>.size))
            // A buffer of one element always has an address.
            return copy.baseAddress.unsafelyUnwrapped.move()
        }
    }
}

/// `Optional`, used in place of a service type.
protocol OptionalService {
    static var wrappedType: Any.Type { get }
    static func resolve(from container: Container, name: String?) throws(ContainerError) -> Self
    /// The wrapped value, or nil.
    var wrapped: Any? { get }
}

/// Returns whether a type is an optional.
///
/// The first check of whether a type conforms to a protocol searches all conformances of the program, which takes 20 µs
/// for each service of a market that's being loaded. Getting a type's name takes 1 µs, and the name of every optional
/// begins with `Optional<`, so few types are checked. The interpolation has a special case for types;
/// `String(describing:)` would check the type's conformances.
func isOptional(_ type: Any.Type) -> Bool {
    "\(type)".utf8.starts(with: "Optional<".utf8) && type is any OptionalService.Type
}

extension Optional: OptionalService {
    static var wrappedType: Any.Type { Wrapped.self }

    static func resolve(from container: Container, name: String?) throws(ContainerError) -> Self {
        try container.resolve(Wrapped.self, name: name)
    }

    var wrapped: Any? { map { $0 } }
}
