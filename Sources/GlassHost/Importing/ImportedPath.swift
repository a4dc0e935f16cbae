import Foundation
import GlassBase
import GlassDeepLinking
import GlassSchema

/// A path of a site's file, as a pattern of a route.
///
/// The file's wildcards match any characters, also slashes and none. A pattern's parameters match whole segments, so a
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

    /// Finds the pattern of an entry of `paths`, or of the `/` of a component.
    ///
    /// - Parameters:
    ///   - variables: The substitution variables of the file.
    ///   - isEscaped: Whether the path is percent-encoded.
    init(_ path: String, _ variables: StrictJSON?, isEscaped: Bool) throws(Mismatch) {
        let parts = path.split(separator: "/").map(String.init)
        var (made, isNear, names) = ([String](), false, Set<String>())
        for (index, part) in parts.enumerated() {
            if part == "*" || part == "?*" || part == "*?" {
                isNear = true
                if index < parts.count - 1 {
                    made.append(":\(Self.name("part", &names))")
                } else if !made.isEmpty {
                    made.append("*rest")
                }
            } else if part.hasPrefix("$("), part.hasSuffix(")"),
                part.dropFirst(2).dropLast().allSatisfy({ $0 != "(" && $0 != "$" })
            {
                let variable = String(part.dropFirst(2).dropLast())
                let written = variables?[variable]?.arrayValue?.compactMap(\.stringValue) ?? []
                var words: [String] = []
                for word in written { words.append(isEscaped ? try Self.unescaped(word) : word) }
                let parameter = Self.name(variable.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }, &names)
                isNear = isNear || words.isEmpty
                made.append(words.isEmpty ? ":\(parameter)" : ":\(parameter)(\(words.joined(separator: "|")))")
            } else if part.contains("*") || part.contains("?") || part.contains("$(") {
                throw Mismatch(message: "a route has no wildcards inside a segment, as in \(part.quotedForMessage)")
            } else {
                made.append(isEscaped ? try Self.unescaped(part) : part)
            }
        }
        guard !made.isEmpty else { throw Mismatch(message: "it claims every path: list the routes in routables") }
        pattern = made.joined(separator: "/")
        self.isNear = isNear
        do throws(RoutePatternError) {
            _ = try RoutePattern(pattern)
        } catch {
            throw Mismatch(message: "\(pattern.quotedForMessage) is not a pattern: \(error)")
        }
    }

    /// The characters of a segment of an escaped path.
    private static func unescaped(_ segment: String) throws(Mismatch) -> String {
        guard segment.contains("%") else { return segment }
        guard let text = segment.removingPercentEncoding else {
            throw Mismatch(message: "\(segment.quotedForMessage) is not percent-encoded UTF-8")
        }
        guard !text.contains("/") else {
            throw Mismatch(
                message:
                    "a segment of a route cannot contain a slash, but \(segment.quotedForMessage) decodes to one that does"
            )
        }
        // These mean something in a pattern.
        if let first = text.first, ":*".contains(first) || text.contains("?") {
            throw Mismatch(message: "a segment of a route cannot be \(text.quotedForMessage)")
        }
        return text
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
