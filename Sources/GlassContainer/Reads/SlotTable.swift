// Public because the inlined read path uses atomics.
public import Synchronization

/// The lookup form of a key: two words, and the name if the key has one.
@usableFromInline
struct Probe {
    @usableFromInline let type: UInt
    /// 0 for a type without a name, odd for the hash of a name, even for the address of a property's name.
    @usableFromInline let label: UInt
    @usableFromInline let name: String?

    @inlinable
    @inline(__always)
    init(_ type: Any.Type) {
        self.type = UInt(bitPattern: ObjectIdentifier(type))
        label = 0
        name = nil
    }

    init(_ type: Any.Type, name: String?) {
        self.type = UInt(bitPattern: ObjectIdentifier(type))
        self.name = name
        label = if let name { UInt(bitPattern: name.hashValue) | 1 } else { 0 }
    }

    /// Equal literals may have different addresses; each address gets its own slot.
    @inlinable
    @inline(__always)
    init(_ type: Any.Type, property: StaticString) {
        self.type = UInt(bitPattern: ObjectIdentifier(type))
        name = nil
        label =
            property.hasPointerRepresentation
            ? UInt(bitPattern: property.utf8Start) &<< 1
            : UInt(property.unicodeScalar.value) &<< 1
    }
}

/// A hash table with open addressing that only grows. It allows one writer at a time (under the store's lock) and any
/// number of readers.
///
/// A slot is written once: first its words, then its cell with a releasing store, which makes the slot visible. A
/// reader that loads the cell with an acquiring load therefore sees the words. A full table is replaced by a larger
/// copy, but isn't freed before the store is, because readers may still be probing it. All old tables together are
/// smaller than the current one.
@usableFromInline
struct SlotTable {
    @usableFromInline
    struct Slot: ~Copyable {
        @usableFromInline var type: UInt = 0
        @usableFromInline var label: UInt = 0
        @usableFromInline let cell = Atomic<UnsafeMutablePointer<Cell>?>(nil)

        init() {}
    }

    /// The header of a table, which points to the slots.
    @usableFromInline
    struct Header: ~Copyable {
        @usableFromInline let shift: UInt64
        @usableFromInline let mask: Int
        @usableFromInline let slots: UnsafeMutablePointer<Slot>
        /// The number of slots in use. Only the writer accesses it; it's atomic so that readers can access the rest at
        /// the same time.
        let count: Atomic<Int>
    }

    @usableFromInline let header: UnsafeMutablePointer<Header>

    @inlinable
    @inline(__always)
    init(header: UnsafeMutablePointer<Header>) {
        self.header = header
    }

    init(bits: Int) {
        let count = 1 << bits
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        for index in 0..<count { (slots + index).initialize(to: Slot()) }
        header = .allocate(capacity: 1)
        header.initialize(to: Header(shift: UInt64(64 - bits), mask: count - 1, slots: slots, count: Atomic(0)))
    }

    func free() {
        header.pointee.slots.deinitialize(count: header.pointee.mask + 1)
        header.pointee.slots.deallocate()
        header.deinitialize(count: 1)
        header.deallocate()
    }

    @inlinable
    @inline(__always)
    func start(_ type: UInt, _ label: UInt) -> Int {
        // Addresses differ in their middle bits. Multiplying by 2^64 divided by the golden ratio moves the differences
        // to the highest bits.
        let mixed = UInt64(type ^ (label &* 0x9E37)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> header.pointee.shift)
    }

    /// Looks up a key without a name. Takes no lock and doesn't allocate.
    @inlinable
    @inline(__always)
    func find(_ type: UInt, _ label: UInt) -> UnsafeMutablePointer<Cell>? {
        let slots = header.pointee.slots
        let mask = header.pointee.mask
        var index = start(type, label)
        // Acquiring, paired with the releasing store in `insert`: a reader that sees the cell also sees the words
        // written before it. The loop ends because half of the slots are empty.
        while let cell = slots[index].cell.load(ordering: .acquiring) {
            if slots[index].type == type, slots[index].label == label { return cell }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Looks up any key. Takes no lock and doesn't allocate.
    func find(_ probe: borrowing Probe) -> UnsafeMutablePointer<Cell>? {
        let slots = header.pointee.slots
        let mask = header.pointee.mask
        var index = start(probe.type, probe.label)
        // Acquiring, and ends, for the same reasons. Different names can have the same hash, so the names are compared,
        // too.
        while let cell = slots[index].cell.load(ordering: .acquiring) {
            if slots[index].type == probe.type, slots[index].label == probe.label,
                probe.label & 1 == 0 || cell.pointee.entry.id.name == probe.name
            {
                return cell
            }
            index = (index &+ 1) & mask
        }
        return nil
    }

    /// Adds a slot for a key that has none. Returns false if the table has to grow first. Call under the store's lock.
    func insert(type: UInt, label: UInt, cell: UnsafeMutablePointer<Cell>) -> Bool {
        let slots = header.pointee.slots
        // At most half full, so that a search without a match meets an empty slot after two on average. All loads here
        // may be relaxed, because the lock orders the writers.
        guard (header.pointee.count.load(ordering: .relaxed) + 1) * 2 <= header.pointee.mask + 1 else { return false }
        var index = start(type, label)
        while slots[index].cell.load(ordering: .relaxed) != nil { index = (index + 1) & header.pointee.mask }
        slots[index].type = type
        slots[index].label = label
        // Last, and releasing, because this makes the slot visible.
        slots[index].cell.store(cell, ordering: .releasing)
        header.pointee.count.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// Returns a copy with twice as many slots. Call under the store's lock.
    func grown() -> SlotTable {
        // Readers of the old table miss what is added from now on; they then look again under the lock.
        let slots = header.pointee.slots
        let larger = SlotTable(bits: 65 - Int(header.pointee.shift))
        for index in 0...header.pointee.mask {
            guard let cell = slots[index].cell.load(ordering: .relaxed) else { continue }
            _ = larger.insert(type: slots[index].type, label: slots[index].label, cell: cell)
        }
        return larger
    }
}
