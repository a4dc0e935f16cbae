import CLuaShims
import GlassBase

/// The kinds of members, by their numbers in C.
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

/// An error for a member that Lua used but the object does not have.
struct MissingMember: Error, CustomStringConvertible {
    let type: String
    let member: LuaValue
    let names: [String]

    var description: String {
        guard let name = member.stringValue else { return "\(type) has no member for a key of type \(member.typeName)" }
        var text = "\(type) has no member '\(name)'"
        if let nearest = Suggestion.nearest(to: name, in: names) {
            text += "; did you mean '\(nearest)'?"
        } else if names.isEmpty {
            text += "; it has no members"
        } else {
            text += "; it has \(names.prefix(20).joined(separator: ", "))"
        }
        return text
    }
}
