// Public because the inlined read path uses atomics.
public import Synchronization

/// The part of an entry that readers access without the store's lock.
///
/// Each value is a shortcut that's published under the store's lock, for a key that needs no special handling. A reader
/// that finds no shortcut takes that lock and uses the entry.
@usableFromInline
struct Cell: ~Copyable {
    /// How a service that isn't cached can be created without the lock.
    @usableFromInline
    enum Mode: UInt8, AtomicRepresentable {
        /// Take the lock and use the entry.
        case slow
        /// Run the definition: the service is unique, not overridden, and not observed, and its dependencies are
        /// recorded.
        case definition
        /// Like `definition`, in a container whose parent may override the property: valid only if
        /// `ReaderLocks.Header.overrides` still has the value of `overrides`.
        case inheritableDefinition
        /// Run the current registration: the service is unique and not observed, and its dependencies are recorded.
        case registration
    }

    /// The cached instance, or nil. Points to an initialized value of the entry's type, owned by a `CachedInstance`.
    @usableFromInline let value = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The weakly cached instance, or nil: a `WeakInstance` that the entry owns.
    @usableFromInline let weakly = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The identity of the scope that a modifier set last, or 0.
    @usableFromInline let scope = Atomic<UInt>(0)
    /// The cell of the same key among the process's singletons, if the instance is read from there.
    @usableFromInline let singleton = Atomic<UnsafeMutablePointer<Cell>?>(nil)
    @usableFromInline let mode = Atomic<Mode>(.slow)
    /// The value of `ReaderLocks.Header.overrides` before the last check that found no override of this property in a
    /// parent.
    @usableFromInline let overrides = Atomic<Int>(-1)
    /// Whether modifiers that don't follow `once()` are ignored.
    @usableFromInline let isOnce = Atomic<Bool>(false)
    /// The current registration, retained, or nil.
    @usableFromInline let registration = Atomic<UnsafeMutableRawPointer?>(nil)
    @usableFromInline let stripes: ReaderLocks
    /// The entry that owns this cell. It outlives every reader, because it lives as long as the store, which readers
    /// keep alive.
    unowned(unsafe) let entry: Entry

    init(entry: Entry) {
        self.entry = entry
        stripes = .all
    }

    /// Whether there's a current registration. May change at any time unless the store's lock is held.
    @inlinable var isRegistered: Bool { registration.load(ordering: .relaxed) != nil }
}

extension UnsafeMutablePointer where Pointee == Cell {
    /// Copies the published instance, from this cell or the one of the process's singleton.
    @inlinable
    @inline(__always)
    func cachedValue<Service>(as type: Service.Type) -> Service? {
        if pointee.stripes.isRecordingCaller { return nil }
        // The loads in `source` may be relaxed: if they find nothing, the slow path checks again under the store's
        // lock, and what is copied is loaded again under the stripe.
        guard let source else { return nil }
        let stripe = pointee.stripes.enter()
        let service = source.publishedValue(as: type)
        pointee.stripes.leave(stripe)
        return service
    }

    /// The cell that publishes an instance for this key: this one, or the one of the process's singleton.
    @inlinable
    @inline(__always)
    var source: UnsafeMutablePointer<Cell>? {
        let cell = pointee.singleton.load(ordering: .relaxed) ?? self
        // The calling task may have its own singletons, which only the slow path looks up.
        if cell != self, Scope.Singleton.othersExist.load(ordering: .relaxed) { return nil }
        return cell.pointee.value.load(ordering: .relaxed) != nil || cell.pointee.weakly.load(ordering: .relaxed) != nil
            ? cell : nil
    }

    /// Copies the factory of the current registration, if it needs only its container. The caller must hold a stripe.
    @inlinable
    @inline(__always)
    func directFactory<Service>(of type: Service.Type) -> TypedFactory<Service>? {
        // `mode` may still describe the previous registration, so the registration itself has to confirm it.
        guard let registration = pointee.registration.load(ordering: .acquiring),
            Unmanaged<Registration>.fromOpaque(registration)._withUnsafeGuaranteedRef({ $0.isDirect })
        else { return nil }
        // The registration lives as long as the stripe is held; a copy of its closure can outlive it.
        return Unmanaged<TypedRegistration<Service>>.fromOpaque(registration)._withUnsafeGuaranteedRef { $0.factory }
    }

    /// Whether the definition of a unique property is known to be in effect and unobserved.
    @inlinable
    @inline(__always)
    var isDefinition: Bool {
        switch pointee.mode.load(ordering: .relaxed) {
        case .definition:
            true
        case .inheritableDefinition:
            // An override that happened before this read also incremented the counter before it, so the counts differ.
            pointee.overrides.load(ordering: .relaxed)
                == pointee.stripes.header.pointee.overrides.load(ordering: .relaxed)
        default:
            false
        }
    }

    /// Copies the instance that this cell publishes. The caller must hold a stripe.
    @inlinable
    @inline(__always)
    func publishedValue<Service>(as type: Service.Type) -> Service? {
        // Acquiring, paired with the releasing store in `refresh`: the instance was initialized before it was
        // published.
        if let value = pointee.value.load(ordering: .acquiring) {
            return value.assumingMemoryBound(to: Service.self).pointee
        }
        guard let kept = pointee.weakly.load(ordering: .acquiring) else { return nil }
        return Unmanaged<WeakInstance>.fromOpaque(kept)._withUnsafeGuaranteedRef { $0.copy(as: type) }
    }
}
