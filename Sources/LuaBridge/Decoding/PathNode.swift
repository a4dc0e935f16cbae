/// One step of a key path, linked to the steps before it, so that descending allocates one small object and no array.
final class PathNode {
    private let parent: PathNode?
    private let key: any CodingKey

    init(_ parent: PathNode?, _ key: any CodingKey) {
        self.parent = parent
        self.key = key
    }

    /// The keys from the root.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var node: PathNode? = self
        while let current = node {
            keys.append(current.key)
            node = current.parent
        }
        return keys.reversed()
    }
}

/// A Lua key: a name, or an index from 1.
struct LuaCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
