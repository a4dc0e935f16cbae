import GlassBase
import GlassDeepLinking
import GlassSchema

/// A path of a file for a system, as a pattern of a route.
///
/// The systems' wildcards match any characters, also slashes and none. A pattern's parameters match whole segments, so a
/// pattern is the nearest one, and some paths have none.
struct ImportedPath {
    /// Why a path has no pattern.
    struct Mismatch: Error {
        let message: String
    }

    /// The pattern.
    let pattern: String
    /// Whether it claims other links than the path.
    let isNear: Bool

    /// A path in a system's own form.
    enum Form {
        /// An entry of `paths` or the `/` of a component, with the substitution variables of the file.
        case apple(String, StrictJSON?)
        /// The value of an attribute of an intent filter's `data`.
        case android(String, String)
    }

    /// Finds the pattern.
    init(_ form: Form) throws(Mismatch) {
        switch form {
        case .apple(let path, let variables): self = try Self.apple(path, variables)
        case .android(let kind, let path): self = try Self.android(kind, path)
        }
    }

    private init(_ segments: [String], isNear: Bool) throws(Mismatch) {
        guard !segments.isEmpty else { throw Mismatch(message: "it claims every path: list the routes in routables") }
        pattern = segments.joined(separator: "/")
        self.isNear = isNear
        do throws(RoutePatternError) {
            _ = try RoutePattern(pattern)
        } catch {
            throw Mismatch(message: "\(pattern.quotedForMessage) is not a pattern: \(error)")
        }
    }

    private static func apple(_ path: String, _ variables: StrictJSON?) throws(Mismatch) -> ImportedPath {
        let parts = segments(of: path)
        var (made, isNear, names) = ([String](), false, Set<String>())
        for (index, part) in parts.enumerated() {
            if part == "*" || part == "?*" || part == "*?" {
                isNear = true
                if index == parts.count - 1 {
                    if made.isEmpty { throw Mismatch(message: "it claims every path: list the routes in routables") }
                    made.append("*rest")
                } else {
                    made.append(":\(name("part", &names))")
                }
            } else if part.hasPrefix("$("), part.hasSuffix(")"),
                part.dropFirst(2).dropLast().allSatisfy({ $0 != "(" && $0 != "$" })
            {
                let variable = String(part.dropFirst(2).dropLast())
                let words = variables?[variable]?.arrayValue?.compactMap(\.stringValue) ?? []
                let parameter = name(variable.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }, &names)
                isNear = isNear || words.isEmpty
                made.append(words.isEmpty ? ":\(parameter)" : ":\(parameter)(\(words.joined(separator: "|")))")
            } else if part.contains("*") || part.contains("?") || part.contains("$(") {
                throw Mismatch(message: insideSegment(part))
            } else {
                made.append(part)
            }
        }
        return try ImportedPath(made, isNear: isNear)
    }

    private static func android(_ kind: String, _ path: String) throws(Mismatch) -> ImportedPath {
        var path = path
        switch kind {
        case "path": break
        case "pathPrefix" where endsInside(path):
            throw Mismatch(message: insideSegment("\(segments(of: path).last ?? "")*"))
        case "pathPrefix":
            guard path.hasSuffix("/") || path.isEmpty else {
                // Android's prefix /item also claims /items.
                var made = try ImportedPath(segments(of: path) + ["*rest"], isNear: true)
                if made.pattern == "*rest" { made = try ImportedPath([], isNear: true) }
                return made
            }
            path += ".*"
        case "pathPattern": break
        default: throw Mismatch(message: "a route cannot be written as \(kind)")
        }
        var (made, isNear, names) = ([String](), false, Set<String>())
        let parts = segments(of: path)
        for (index, part) in parts.enumerated() {
            if kind != "path", part == ".*" || part == "..*" {
                isNear = true
                if index == parts.count - 1 {
                    if made.isEmpty { throw Mismatch(message: "it claims every path: list the routes in routables") }
                    made.append("*rest")
                } else {
                    made.append(":\(name("part", &names))")
                }
            } else if kind == "pathPattern", part.contains("*") || part.contains("\\") || part.contains(".*") {
                throw Mismatch(message: insideSegment(part))
            } else {
                made.append(part)
            }
        }
        return try ImportedPath(made, isNear: isNear)
    }

    /// Whether a prefix ends inside a segment that goes on, as `/p-` does: with a sign instead of a letter or a digit.
    static func endsInside(_ prefix: String) -> Bool {
        prefix.last.map { $0 != "/" && !$0.isLetter && !$0.isNumber } ?? false
    }

    private static func insideSegment(_ segment: String) -> String {
        "a route has no wildcards inside a segment, as in \(segment.quotedForMessage)"
    }

    private static func segments(of path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }

    /// A name that no parameter of the pattern has yet.
    private static func name(_ wanted: String, _ names: inout Set<String>) -> String {
        let wanted = wanted.isEmpty || wanted.first?.isNumber == true ? "part" : wanted
        var (name, number) = (wanted, 2)
        while !names.insert(name).inserted {
            name = "\(wanted)\(number)"
            number += 1
        }
        return name
    }
}
