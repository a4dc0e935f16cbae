// Public because the inlined read path uses atomics.
public import Synchronization

/// The part of an entry that readers reach without the store's lock.
///
/// Everything here is a shortcut that the entry publishes under the store's lock for a key that needs nothing special: a
/// reader that finds no shortcut takes that lock and asks the entry.
@usableFromInline
struct Cell: ~Copyable {
    /// How a key without a kept instance can be made without the lock.
    @usableFromInline
    enum Mode: UInt8, AtomicRepresentable {
        /// Ask the entry.
        case slow
        /// Run the definition: unique, not overridden, not observed, its dependencies known.
        case definition
        /// The same, in a container with a parent, which may override it: if nobody did since `overrides` was noted.
        case inheritableDefinition
        /// Run the registration in force: unique, not observed, its dependencies known.
        case registration
    }

    /// The kept instance, or nil. Points to an initialised value of the entry's type, owned by a `CachedInstance`.
    @usableFromInline let value = Atomic<UnsafeMutableRawPointer?>(nil)
    /// What is kept weakly, or nil: a `WeakKept`, which the entry owns.
    @usableFromInline let weakly = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The scope that a modifier set last, as an object's identity; 0 for none.
    @usableFromInline let scope = Atomic<UInt>(0)
    /// The cell of the same key among the process's singletons, if the instance is to be read there.
    @usableFromInline let singleton = Atomic<UnsafeMutablePointer<Cell>?>(nil)
    @usableFromInline let mode = Atomic<Mode>(.slow)
    /// `ReaderLocks.Header.overrides` from before it was last seen that no parent overrides this property.
    @usableFromInline let overrides = Atomic<Int>(-1)
    /// Whether modifiers that do not follow `once()` are to be ignored.
    @usableFromInline let isOnce = Atomic<Bool>(false)
    /// The registration in force, retained, or nil for none.
    @usableFromInline let registration = Atomic<UnsafeMutableRawPointer?>(nil)
    @usableFromInline let stripes: ReaderLocks
    /// The entry that owns this cell and outlives every reader, because both go with their store.
    unowned(unsafe) let entry: Entry

    init(entry: Entry) {
        self.entry = entry
        stripes = .all
    }

    /// Whether a registration is in force; may change at any time unless the store's lock is held.
    @inlinable var isRegistered: Bool { registration.load(ordering: .relaxed) != nil }
}

extension UnsafeMutablePointer where Pointee == Cell {
    /// Copies the published instance, here or among the process's singletons.
    @inlinable
    @inline(__always)
    func cachedValue<Service>(as type: Service.Type) -> Service? {
        if pointee.stripes.isRecordingCaller { return nil }
        // Where nothing is published, the long way looks again, under the store's lock. So these loads may be relaxed; what is
        // copied is loaded again under the stripe.
        guard let source else { return nil }
        let stripe = pointee.stripes.enter()
        let service = source.publishedValue(as: type)
        pointee.stripes.leave(stripe)
        return service
    }

    /// The cell that publishes an instance for this key: this one, or the one of the process's singletons.
    @inlinable
    @inline(__always)
    var source: UnsafeMutablePointer<Cell>? {
        let cell = pointee.singleton.load(ordering: .relaxed) ?? self
        if cell != self, Scope.Singleton.othersExist.load(ordering: .relaxed) { return nil }
        return cell.pointee.value.load(ordering: .relaxed) != nil || cell.pointee.weakly.load(ordering: .relaxed) != nil
            ? cell : nil
    }

    /// Copies the factory of the registration in force, if it needs nothing but its container. The caller holds a stripe.
    @inlinable
    @inline(__always)
    func directFactory<Service>(of type: Service.Type) -> TypedFactory<Service>? {
        // The mode may be that of the registration before: what this one is, it says itself.
        guard let registration = pointee.registration.load(ordering: .acquiring),
            Unmanaged<Registration>.fromOpaque(registration)._withUnsafeGuaranteedRef({ $0.isDirect })
        else { return nil }
        // The registration stays as long as the stripe is held, and a copy of its closure outlives it.
        return Unmanaged<TypedRegistration<Service>>.fromOpaque(registration)._withUnsafeGuaranteedRef { $0.factory }
    }

    /// Whether the definition of a unique property is known to be the one in force, and nobody watches.
    @inlinable
    @inline(__always)
    var isDefinition: Bool {
        switch pointee.mode.load(ordering: .relaxed) {
        case .definition:
            true
        case .inheritableDefinition:
            // An override that came before this read has counted before it: the counts differ then.
            pointee.overrides.load(ordering: .relaxed)
                == pointee.stripes.header.pointee.overrides.load(ordering: .relaxed)
        default:
            false
        }
    }

    /// Copies what this cell publishes. The caller holds a stripe.
    @inlinable
    @inline(__always)
    func publishedValue<Service>(as type: Service.Type) -> Service? {
        // Acquiring, with the releasing store of `refresh`: the instance was written before it was published.
        if let value = pointee.value.load(ordering: .acquiring) {
            return value.assumingMemoryBound(to: Service.self).pointee
        }
        guard let kept = pointee.weakly.load(ordering: .acquiring) else { return nil }
        return Unmanaged<WeakKept>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.copy(as: type) }
    }
}
