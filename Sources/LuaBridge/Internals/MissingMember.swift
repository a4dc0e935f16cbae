import CLuaShims

/// The kinds of members as C numbers them.
enum MemberKind {
    static let method = GLUA_MEMBER_METHOD
    static let getter = GLUA_MEMBER_GETTER
    static let setter = GLUA_MEMBER_SETTER
    static let missing = GLUA_MEMBER_MISSING
    static let call = GLUA_MEMBER_CALL
    static let toString = GLUA_MEMBER_TO_STRING
    static let equals = GLUA_MEMBER_EQUALS
    static let length = GLUA_MEMBER_LENGTH
    static let less = GLUA_MEMBER_LESS
}

/// Lua asked an object for a member that it does not have.
struct MissingMember: Error, CustomStringConvertible {
    let type: String
    let member: LuaValue
    let names: [String]

    var description: String {
        guard let name = member.stringValue else { return "\(type) has no member for a key of type \(member.typeName)" }
        var text = "\(type) has no member '\(name)'"
        if let nearest = nearest(to: name) {
            text += "; did you mean '\(nearest)'?"
        } else if names.isEmpty {
            text += "; it has none"
        } else {
            text += "; it has \(names.prefix(20).joined(separator: ", "))"
        }
        return text
    }

    private func nearest(to name: String) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let best = names.map { (name: $0, distance: editDistance(Array($0.utf8), Array(name.utf8))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, name.utf8.count / 3) else { return nil }
        return best.name
    }

    /// The least number of bytes to insert, remove, replace or swap.
    private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let replaced = previous[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
