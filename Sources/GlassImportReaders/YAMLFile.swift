package import GlassBase
package import GlassHost
import Yams

/// Reads YAML, within limits.
///
/// Aliases repeat a value without repeating its text, so that a short file can have very many values. Their number is
/// bounded before the parser runs, and the number of values while they are copied.
package enum YAMLFile {
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 1 << 20
    /// The maximum number of aliases.
    package static let maximumAliases = 16
    /// The maximum number of values, counted at each alias.
    package static let maximumValues = 50_000
    /// The maximum nesting that the text can have before the parser recurses, for each way of nesting.
    static let maximumDepth = 200

    /// The tree of a file with one document.
    @Sendable package static func tree(of bytes: [UInt8]) throws(ImportFailure) -> StrictJSON {
        guard bytes.count <= maximumBytes else { throw ImportFailure("has more than \(maximumBytes.grouped) bytes") }
        guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
            throw ImportFailure("is not UTF-8")
        }
        try checkText(bytes)
        let root: Node?
        do {
            root = try Parser(yaml: text, encoding: .utf8).singleRoot()
        } catch let error as YamlError {
            throw failure(error)
        } catch {
            throw ImportFailure("cannot be read as YAML")
        }
        guard let root else { throw ImportFailure("has no values") }
        var copy = Copy()
        return try copy.tree(of: root, depth: 0)
    }

    /// Bounds what the parser does: how deep it recurses, and how many aliases it follows. What only looks like
    /// either, inside a string, counts as well.
    private static func checkText(_ bytes: [UInt8]) throws(ImportFailure) {
        var (line, column, lead, isLead) = (1, 0, 0, true)
        var (open, aliases) = (0, 0)
        var last = UInt8(ascii: "\n")
        for (index, byte) in bytes.enumerated() {
            column += 1
            switch byte {
            case UInt8(ascii: "\n"):
                (line, column, lead, isLead) = (line + 1, 0, 0, true)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: "\t"):
                if isLead { lead += 1 }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                isLead = false
                open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                isLead = false
                // A bracket in a string must not make up for one that is open.
                if open > 0 { open -= 1 }
            default:
                isLead = false
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                if byte == UInt8(ascii: "*"), " \n\t[,{:-".utf8.contains(last), !" \n\t,]}\"'/.*".utf8.contains(next),
                    next != 0
                {
                    aliases += 1
                }
            }
            guard open <= maximumDepth, lead <= maximumDepth else {
                throw ImportFailure("is nested deeper than \(maximumDepth) levels", line: line, column: column)
            }
            guard aliases <= maximumAliases else {
                throw ImportFailure("has more than \(maximumAliases) aliases", line: line, column: column)
            }
            last = byte
        }
    }

    private static func failure(_ error: YamlError) -> ImportFailure {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            // The parser names its own function for the limit.
            let message = problem.hasPrefix("Maximum nesting") ? "is nested too deeply" : problem
            return ImportFailure(message, line: mark.line, column: mark.column)
        case .duplicatedKeysInMapping(let keys, let context):
            return ImportFailure(
                "a duplicate key \((keys.first ?? "").jsonLiteral)", line: context.mark.line,
                column: context.mark.column)
        case .memory: return ImportFailure("is nested too deeply")
        default: return ImportFailure("cannot be read as YAML")
        }
    }

    /// Copies nodes, of which an alias shares one, to a tree.
    private struct Copy {
        var values = 0

        mutating func tree(of node: Node, depth: Int) throws(ImportFailure) -> StrictJSON {
            values += 1
            guard values <= YAMLFile.maximumValues else {
                throw ImportFailure("has more than \(YAMLFile.maximumValues.grouped) values, with those of its aliases")
            }
            guard depth < StrictJSON.maximumDepth else {
                throw Self.failure("more than \(StrictJSON.maximumDepth) nested lists and tables", node)
            }
            switch node {
            case .scalar(let scalar): return Self.value(of: scalar)
            case .sequence(let sequence):
                var elements: [StrictJSON] = []
                for element in sequence { elements.append(try tree(of: element, depth: depth + 1)) }
                return .array(elements)
            case .mapping(let mapping):
                var members: [String: StrictJSON] = [:]
                var merged: [String: StrictJSON] = [:]
                for (key, value) in mapping {
                    guard case .scalar(let scalar) = key else { throw Self.failure("a key that is not a string", key) }
                    let tree = try tree(of: value, depth: depth + 1)
                    if scalar.string == "<<", scalar.style == .plain {
                        for member in tree.members ?? tree.arrayValue?.flatMap({ $0.members ?? [] }) ?? [] {
                            if merged[member.key] == nil { merged[member.key] = member.value }
                        }
                    } else {
                        // Swift compares strings by meaning, and an object its names by bytes.
                        guard members.updateValue(tree, forKey: scalar.string) == nil else {
                            throw Self.failure("a duplicate key \(scalar.string.jsonLiteral)", key)
                        }
                    }
                }
                // What a table says itself wins over what it merges.
                members.merge(merged) { own, _ in own }
                values += merged.count
                return .object(members.map { ($0.key, $0.value) })
            case .alias(let alias): throw Self.failure("an unresolved alias", .alias(alias))
            }
        }

        private static func failure(_ message: String, _ node: Node) -> ImportFailure {
            guard let mark = node.mark else { return ImportFailure(message) }
            return ImportFailure(message, line: mark.line, column: mark.column)
        }

        /// The value of a scalar by YAML 1.2's core schema: a plain `no` is a string, and so is a country.
        private static func value(of scalar: Node.Scalar) -> StrictJSON {
            let text = scalar.string
            guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
            switch text {
            case "", "~", "null", "Null", "NULL": return .null
            case "true", "True", "TRUE": return .boolean(true)
            case "false", "False", "FALSE": return .boolean(false)
            default: break
            }
            let isNumeric = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard isNumeric, text.utf8.contains(where: { (0x30...0x39).contains($0) }) else { return .string(text) }
            // A number with leading zeros, such as a postal code, is text to those who write it.
            let digits = text.drop { $0 == "-" || $0 == "+" }
            if digits.first == "0", digits.dropFirst().first?.isNumber == true { return .string(text) }
            if let integer = Int(text) { return .integer(StrictJSON.Integer(integer)) }
            guard let number = Double(text), number.isFinite else { return .string(text) }
            return .number(number)
        }
    }
}
