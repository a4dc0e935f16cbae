/// An instance that a store keeps, strongly or weakly.
@usableFromInline
class CachedInstance: @unchecked Sendable {  // by Factory's contract, not by proof
    // A service need not be Sendable, and whoever resolves one that is not answers for where it is used. The rest is constant, and any thread may let go of it.

    let scope: Scope
    /// When it was made, in seconds of the store's clock.
    let created: Double
    /// Where it stands in the order of construction.
    let number: Int

    init(scope: Scope, created: Double, number: Int) {
        self.scope = scope
        self.created = created
        self.number = number
    }

    /// What a reader without the store's lock may copy from; nil for what must be looked at.
    var memory: UnsafeMutableRawPointer? { nil }
    /// The same for what is kept weakly: this object itself, as a `WeakKept`.
    var weakMemory: UnsafeMutableRawPointer? { nil }
    /// The instance, for those who do not know its type.
    var any: Any? { nil }
}

/// An instance that lives as long as it is kept.
final class StrongKept<Service>: CachedInstance, @unchecked Sendable {  // written once, in `init`
    // As `CachedInstance`, and the memory is read until `deinit`.

    private let pointer: UnsafeMutablePointer<Service>
    private let allocation: UnsafeMutableRawPointer

    init(_ service: Service, scope: Scope, created: Double, number: Int) {
        // In cache lines of its own: beside the instance, whose reference count every reader changes, each read would wait.
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

/// An instance that lives as long as somebody else holds it.
@usableFromInline
final class WeakKept: CachedInstance, @unchecked Sendable {  // written once, in `init`
    // As `CachedInstance`, and the language lets any thread read a weak constant.

    @usableFromInline weak let object: AnyObject?
    /// The service as it was given, a reference to `object` and perhaps what makes it an existential: a copy of its bits,
    /// which retains nothing.
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

    /// The service, if somebody holds it.
    ///
    /// Runs no deinitialiser: what is returned holds the object when the reference that was taken here is given back.
    @inlinable
    @inline(__always)
    func copy<Service>(as type: Service.Type) -> Service? {
        guard let object else { return nil }
        // The reference that was taken here becomes the copy's: to count an object that is held weakly costs some 20 ns,
        // since its count is elsewhere, and a copy of its own would be counted up, and this one down.
        _ = Unmanaged.passRetained(object)
        return withUnsafeTemporaryAllocation(of: Service.self, capacity: 1) { copy in
            UnsafeMutableRawBufferPointer(copy).copyMemory(
                from: UnsafeRawBufferPointer(start: bits, count: MemoryLayout<Service>.size))
            // One place always has an address.
            return copy.baseAddress.unsafelyUnwrapped.move()
        }
    }
}

/// Optional, when it stands where a service type should.
protocol OptionalService {
    static var wrappedType: Any.Type { get }
    static func resolve(from container: Container, name: String?) throws(ContainerError) -> Self
    /// What is inside, or nil.
    var wrapped: Any? { get }
}

/// Whether a type is an optional.
///
/// The first question whether a type conforms to a protocol goes through all conformances of the program: 20 µs for each
/// service of a market that loads. A name takes 1 µs, and every optional has this one, so that few types are asked. The
/// interpolation has a form of its own for types; `String(describing:)` would ask what the type conforms to.
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
