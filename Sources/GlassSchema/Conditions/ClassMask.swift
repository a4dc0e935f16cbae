/// A set of the classes of an attribute, of which there are at most 256.
struct ClassMask: Sendable, Hashable {
    /// The largest number of classes.
    static let capacity = 256

    // Four properties instead of an array, so that a box has one allocation.
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0

    /// Creates an empty set.
    init() {}

    /// Creates the set of all classes below a number.
    init(below count: Int) {
        for index in 0..<count { insert(index) }
    }

    /// Creates a set of classes.
    init(_ classes: some Sequence<Int>) {
        for index in classes { insert(index) }
    }

    var isEmpty: Bool { first | second | third | fourth == 0 }

    /// The lowest class; nil if the set is empty.
    var lowest: Int? {
        for word in 0..<4 where self[word: word] != 0 { return word * 64 + self[word: word].trailingZeroBitCount }
        return nil
    }

    func contains(_ index: Int) -> Bool { self[word: index >> 6] & (1 << UInt64(index & 63)) != 0 }

    mutating func insert(_ index: Int) { self[word: index >> 6] |= 1 << UInt64(index & 63) }

    func intersection(_ other: ClassMask) -> ClassMask { combined(other) { $0 & $1 } }

    func union(_ other: ClassMask) -> ClassMask { combined(other) { $0 | $1 } }

    func subtracting(_ other: ClassMask) -> ClassMask { combined(other) { $0 & ~$1 } }

    func isSubset(of other: ClassMask) -> Bool { subtracting(other).isEmpty }

    @inline(__always)
    private func combined(_ other: ClassMask, _ body: (UInt64, UInt64) -> UInt64) -> ClassMask {
        var result = ClassMask()
        result.first = body(first, other.first)
        result.second = body(second, other.second)
        result.third = body(third, other.third)
        result.fourth = body(fourth, other.fourth)
        return result
    }

    private subscript(word index: Int) -> UInt64 {
        get {
            switch index {
            case 0: first
            case 1: second
            case 2: third
            default: fourth
            }
        }
        set {
            switch index {
            case 0: first = newValue
            case 1: second = newValue
            case 2: third = newValue
            default: fourth = newValue
            }
        }
    }
}
