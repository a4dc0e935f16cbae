import GlassBase
import LuaBridge

extension LuaValue {
    /// Whether two values are equal to a script: numbers by value, tables by content, everything else by identity.
    func equals(_ other: LuaValue, spending budget: WorkBudget) throws(WorkBudget.Exceeded) -> Bool {
        try budget.spend(on: .comparing)
        switch (self, other) {
        case (.integer(let left), .number(let right)), (.number(let right), .integer(let left)):
            return Double(left) == right && Int64(exactly: right) == Int64(left)
        case (.string(let left), .string(let right)):
            guard left.count == right.count else { return false }
            try budget.spend(left.count / 64, on: .comparing)
            return left == right
        case (.table(let left), .table(let right)):
            guard left.array.count == right.array.count, left.fields.count == right.fields.count else { return false }
            for (left, right) in zip(left.array, right.array) {
                guard try left.equals(right, spending: budget) else { return false }
            }
            let pairs = TablePairs(left, right)
            for (place, field) in left.fields.enumerated() {
                guard let value = pairs.right(place), try field.value.equals(value, spending: budget) else {
                    return false
                }
            }
            return true
        default:
            return self == other
        }
    }
}

/// Pairs the fields of a table with those of another one. Tables from Lua have their fields in order, so most are at
/// the same index; the others are found by hashing.
final class TablePairs {
    private let left: LuaTable
    private let right: LuaTable
    private lazy var index = LuaTable.FieldIndex(right)

    init(_ left: LuaTable, _ right: LuaTable) {
        self.left = left
        self.right = right
    }

    /// The other table's value for the key at an index of this one, if any.
    func right(_ place: Int) -> LuaValue? {
        let key = left.fields[place].key
        if place < right.fields.count, right.fields[place].key == key { return right.fields[place].value }
        return index[key]
    }
}
