/// A set of situations that allows some classes of each attribute, regardless of the others.
///
/// A condition is a union of boxes, so that whether two conditions overlap is whether two boxes do.
package struct ConditionBox: Sendable, Hashable {
    /// The classes that a box allows of an attribute.
    struct Side: Sendable, Hashable {
        /// The attribute, or the element of a set, by its number in the space.
        let dimension: Int
        /// The classes. Neither none nor all of them.
        var classes: ClassMask
    }

    /// The sides by dimension. A dimension without a side is not restricted.
    let sides: [Side]

    /// Creates a box from its sides, by dimension.
    init(sides: [Side]) {
        self.sides = sides
    }

    /// The box of all situations.
    package static let everything = ConditionBox(sides: [])

    /// The classes that the box allows of a dimension; nil if it allows all.
    func classes(of dimension: Int) -> ClassMask? {
        sides.first { $0.dimension == dimension }?.classes
    }

    /// The box of the situations in both boxes; nil if there are none. Linear in the number of sides.
    package func meet(_ other: ConditionBox) -> ConditionBox? {
        if sides.isEmpty { return other }
        if other.sides.isEmpty { return self }
        var result: [Side] = []
        result.reserveCapacity(sides.count + other.sides.count)
        var (mine, theirs) = (sides[...], other.sides[...])
        while let left = mine.first, let right = theirs.first {
            if left.dimension < right.dimension {
                result.append(left)
                mine.removeFirst()
            } else if right.dimension < left.dimension {
                result.append(right)
                theirs.removeFirst()
            } else {
                let common = left.classes.intersection(right.classes)
                if common.isEmpty { return nil }
                result.append(Side(dimension: left.dimension, classes: common))
                mine.removeFirst()
                theirs.removeFirst()
            }
        }
        result += mine
        result += theirs
        return ConditionBox(sides: result)
    }

    /// Whether a situation is in both boxes. Like ``meet(_:)``, without an allocation.
    package func meets(_ other: ConditionBox) -> Bool {
        var (left, right) = (0, 0)
        while left < sides.count, right < other.sides.count {
            let (mine, theirs) = (sides[left], other.sides[right])
            if mine.dimension < theirs.dimension {
                left += 1
            } else if theirs.dimension < mine.dimension {
                right += 1
            } else {
                if mine.classes.intersection(theirs.classes).isEmpty { return false }
                left += 1
                right += 1
            }
        }
        return true
    }

    /// Whether every situation of another box is in this one. Linear in the number of sides.
    package func contains(_ other: ConditionBox) -> Bool {
        var index = 0
        for side in sides {
            while index < other.sides.count, other.sides[index].dimension < side.dimension { index += 1 }
            guard index < other.sides.count, other.sides[index].dimension == side.dimension,
                other.sides[index].classes.isSubset(of: side.classes)
            else { return false }
        }
        return true
    }

    /// The box with other classes of a dimension; `isAll` says whether these are all that there are.
    func replacing(_ dimension: Int, with classes: ClassMask, isAll: Bool) -> ConditionBox {
        var result = sides
        let index = result.firstIndex { $0.dimension >= dimension } ?? result.endIndex
        let exists = index < result.endIndex && result[index].dimension == dimension
        switch (exists, isAll) {
        case (true, true): result.remove(at: index)
        case (true, false): result[index].classes = classes
        case (false, false): result.insert(Side(dimension: dimension, classes: classes), at: index)
        case (false, true): break
        }
        return ConditionBox(sides: result)
    }
}
