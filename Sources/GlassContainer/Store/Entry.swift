import Synchronization

/// The part of an entry that readers reach without a lock.
struct Cell: ~Copyable {
    /// The kept instance, or nil while there is none. Points to an initialised value of the entry's type.
    let value = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The registration in force, retained, or nil for none.
    let registration = Atomic<UnsafeMutableRawPointer?>(nil)
    /// The entry that owns this cell and outlives every reader, because both go with their store.
    unowned(unsafe) let entry: Entry

    init(entry: Entry) {
        self.entry = entry
    }
}

/// Everything a store knows about one key. An entry is made once for a key and stays until its store goes.
final class Entry: @unchecked Sendable {
    // `cell` holds atomics; the `var`s are guarded by the store's lock; the rest is constant.

    let id: ServiceID
    /// The store that owns this entry.
    unowned(unsafe) let store: Store
    let cell: UnsafeMutablePointer<Cell>

    /// Counts changes of the registration and resets, so that a build knows whether it is still wanted.
    var generation = 0
    /// The build in progress whose result will be kept.
    var build: Build?
    /// How to free what `cell.value` points to.
    var freeValue: ((UnsafeMutableRawPointer) -> Void)?
    /// What `register` of the Glass style set, beneath an override.
    var base: Registration?
    /// Where and how the definition of a property stands, once it was seen.
    var definition: Definition?
    /// Each place that an earlier registration was replaced by, with the place it replaced.
    var duplicates: [(site: RegistrationSite, replaced: RegistrationSite)] = []
    /// What the factory resolved when it ran last.
    var dependencies: [ServiceID] = []
    /// Whether `dependencies` stands for the registration in force.
    let hasDependencies = Atomic<Bool>(false)

    init(id: ServiceID, store: Store) {
        self.id = id
        self.store = store
        cell = .allocate(capacity: 1)
        cell.initialize(to: Cell(entry: self))
    }

    /// Whether a registration is in force; may change at any time unless the store's lock is held.
    var isRegistered: Bool { cell.pointee.registration.load(ordering: .relaxed) != nil }

    /// Whether an instance is kept; may change at any time unless the store's lock is held.
    var isKept: Bool { cell.pointee.value.load(ordering: .relaxed) != nil }

    /// The registration in force. Only while the store's lock is held, which keeps it from being released.
    var registrationUnderLock: Registration? {
        cell.pointee.registration.load(ordering: .relaxed).map {
            Unmanaged<Registration>.fromOpaque($0).takeUnretainedValue()
        }
    }

    deinit {
        // Entries go with their store, which readers keep alive: nobody is reading now.
        if let value = cell.pointee.value.exchange(nil, ordering: .acquiringAndReleasing) { freeValue?(value) }
        if let registration = cell.pointee.registration.exchange(nil, ordering: .acquiringAndReleasing) {
            Unmanaged<Registration>.fromOpaque(registration).release()
        }
        cell.deinitialize(count: 1)
        cell.deallocate()
    }
}

/// What is known of a Factory property that nobody registered anything for.
struct Definition {
    let site: RegistrationSite
    let scope: Scope
}

/// One call of `register`: everything but the type of what the factory makes.
class Registration: @unchecked Sendable {
    // Constant. Factories are not required to be Sendable: a service says itself whether it may be shared.

    let site: RegistrationSite
    let scope: Scope?
    let requires: [ServiceID]?
    let isProvidingChild: Bool
    let isOverride: Bool

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]?, isProvidingChild: Bool, isOverride: Bool
    ) {
        self.site = site
        self.scope = scope
        self.requires = requires
        self.isProvidingChild = isProvidingChild
        self.isOverride = isOverride
    }
}

/// One call of `register` with its factory.
final class TypedRegistration<Service>: Registration, @unchecked Sendable {
    // As `Registration`.

    let factory: (Container) throws -> Service

    init(
        site: RegistrationSite, scope: Scope?, requires: [ServiceID]?, isProvidingChild: Bool = false,
        isOverride: Bool = false, factory: @escaping (Container) throws -> Service
    ) {
        self.factory = factory
        super.init(
            site: site, scope: scope, requires: requires, isProvidingChild: isProvidingChild, isOverride: isOverride)
    }

    /// Runs the factory for the container that holds the registration.
    func make(for holder: Container) throws -> Service {
        try factory(isProvidingChild ? Container(parent: holder) : holder)
    }
}
