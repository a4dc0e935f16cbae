import TestSupport
import Testing

@testable import GlassDeepLinking

@Suite struct RoutePatternTests {
    struct Compiled: Sendable {
        let text: String
        let segments: [RoutePattern.Segment]
        var isOptional = false
        var query: [String] = []
    }

    @Test(arguments: [
        Compiled(text: "", segments: []),
        Compiled(text: "/", segments: []),
        Compiled(text: "account", segments: [.literal("account")]),
        Compiled(text: "/account/", segments: [.literal("account")]),
        Compiled(text: "ip/:id", segments: [.literal("ip"), .parameter(name: "id", type: nil)]),
        Compiled(text: "ip/:id(int)", segments: [.literal("ip"), .parameter(name: "id", type: .named(.int))]),
        Compiled(text: ":id(uuid)", segments: [.parameter(name: "id", type: .named(.uuid))]),
        Compiled(text: ":id(slug)", segments: [.parameter(name: "id", type: .named(.slug))]),
        Compiled(text: ":id(alnum)", segments: [.parameter(name: "id", type: .named(.alnum))]),
        Compiled(
            text: ":lang(en|fr)/x", segments: [.parameter(name: "lang", type: .oneOf(["en", "fr"])), .literal("x")]),
        Compiled(text: "a/:b?", segments: [.literal("a"), .parameter(name: "b", type: nil)], isOptional: true),
        Compiled(
            text: "a/:b(int)?", segments: [.literal("a"), .parameter(name: "b", type: .named(.int))], isOptional: true),
        Compiled(text: "a/:b?x&y", segments: [.literal("a"), .parameter(name: "b", type: nil)], query: ["x", "y"]),
        Compiled(
            text: "a/:b??x", segments: [.literal("a"), .parameter(name: "b", type: nil)], isOptional: true, query: ["x"]
        ),
        Compiled(text: "search?q", segments: [.literal("search")], query: ["q"]),
        Compiled(text: "?q", segments: [], query: ["q"]),
        Compiled(text: "help/*rest", segments: [.literal("help"), .catchAll(name: "rest")]),
        Compiled(text: "help/*rest?q", segments: [.literal("help"), .catchAll(name: "rest")], query: ["q"]),
        Compiled(
            text: "p/A-:id",
            segments: [.literal("p"), .affixed(AffixedParameter(prefix: "A-", name: "id", type: nil, suffix: ""))]),
        Compiled(
            text: ":sku.html",
            segments: [.affixed(AffixedParameter(prefix: "", name: "sku", type: nil, suffix: ".html"))]
        ),
        Compiled(
            text: "@:name?",
            segments: [.affixed(AffixedParameter(prefix: "@", name: "name", type: nil, suffix: ""))], isOptional: true),
        Compiled(
            text: "é:w(int)px??q",
            segments: [.affixed(AffixedParameter(prefix: "é", name: "w", type: .named(.int), suffix: "px"))],
            isOptional: true,
            query: ["q"]),
        Compiled(text: "50 off/ñandú", segments: [.literal("50 off"), .literal("ñandú")]),
    ])
    func patternIsCompiled(row: Compiled) throws {
        let pattern = try RoutePattern(row.text)
        #expect(pattern.segments == row.segments)
        #expect(pattern.isLastOptional == row.isOptional)
        #expect(pattern.requiredQuery == row.query)
    }

    struct Wrong: Sendable {
        let text: String
        let offset: Int
        let length: Int
        let message: String
    }

    @Test(arguments: [
        Wrong(
            text: "walmart://account", offset: 0, length: 10,
            message:
                "a pattern cannot have a scheme; write only the part after it, and list the scheme in deepLinking.schemes"
        ),
        Wrong(text: "a//b", offset: 2, length: 1, message: "an empty segment; remove the extra slash"),
        Wrong(text: "a//", offset: 1, length: 1, message: "an empty segment; remove the extra slash"),
        Wrong(text: "a/:", offset: 2, length: 1, message: "the parameter has no name; write one, such as \":id\""),
        Wrong(
            text: "a/:1b", offset: 3, length: 1,
            message: "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"),
        Wrong(
            text: "a/:día", offset: 4, length: 2,
            message: "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"),
        Wrong(text: ":a/:a", offset: 3, length: 2, message: "the parameter \"a\" appears twice; use distinct names"),
        Wrong(text: ":a/*a", offset: 3, length: 2, message: "the parameter \"a\" appears twice; use distinct names"),
        Wrong(
            text: ":id(num)", offset: 4, length: 3,
            message: "unknown type \"num\"; write int, uuid, slug, alnum, or a list such as en|fr"),
        Wrong(
            text: ":id()", offset: 3, length: 2,
            message: "the type is empty; write int, uuid, slug, alnum, or a list such as en|fr"),
        Wrong(text: ":id(int", offset: 3, length: 4, message: "the parenthesis is not closed; add \")\""),
        Wrong(
            text: ":from-:to", offset: 6, length: 1,
            message: "\":\" is not allowed here; a segment may contain only one parameter, such as \"A-:id\""),
        Wrong(
            text: ":l(a:b|c)", offset: 4, length: 1,
            message: "\":\" is not allowed here; a segment may contain only one parameter, such as \"A-:id\""),
        Wrong(text: "A-:", offset: 0, length: 3, message: "the parameter has no name; write one, such as \":id\""),
        Wrong(text: "a/:.html", offset: 2, length: 6, message: "the parameter has no name; write one, such as \":id\""),
        Wrong(
            text: "localhost:8080", offset: 10, length: 1,
            message: "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"),
        Wrong(
            text: ":item id", offset: 5, length: 1,
            message: "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"),
        Wrong(
            text: "x%20:id", offset: 1, length: 1,
            message: "literals are unescaped; write the character itself instead of a percent escape"),
        Wrong(
            text: "a/:id.h*", offset: 7, length: 1,
            message: "\"*\" is not allowed in a literal; a parameter is written \":name\""),
        Wrong(
            text: "a/" + String(repeating: "p", count: 65) + ":id", offset: 2, length: 65,
            message: "65 bytes beside a parameter exceed the limit of 64; shorten the text"),
        Wrong(
            text: "a-:id?/b", offset: 6, length: 1,
            message: "\"/\" is not allowed in a query name; use letters, digits, \"_\", \"-\", \".\", \"[\" and \"]\""),
        Wrong(
            text: ":l(en|)", offset: 5, length: 1, message: "the list contains an empty word; remove the extra \"|\""),
        Wrong(
            text: ":l(|en)", offset: 3, length: 1, message: "the list contains an empty word; remove the extra \"|\""),
        Wrong(
            text: ":l(en||fr)", offset: 5, length: 1, message: "the list contains an empty word; remove the extra \"|\""
        ),
        Wrong(text: ":l(en|EN)", offset: 6, length: 2, message: "the list contains \"EN\" twice; remove one"),
        Wrong(text: "a/*", offset: 2, length: 1, message: "the catch-all has no name; write one, such as \"*rest\""),
        Wrong(
            text: "a/*r/b", offset: 2, length: 2,
            message: "the catch-all \"*r\" matches the rest of the link; nothing may follow it"),
        Wrong(
            text: "a/*r?", offset: 4, length: 1,
            message: "only a parameter such as \":name?\" may be optional; register both paths instead"),
        Wrong(
            text: "a?", offset: 1, length: 1,
            message: "only a parameter such as \":name?\" may be optional; register both paths instead"),
        Wrong(
            text: ":a?/b", offset: 3, length: 1,
            message: "\"/\" is not allowed in a query name; use letters, digits, \"_\", \"-\", \".\", \"[\" and \"]\""),
        Wrong(
            text: "a/:b??", offset: 5, length: 1,
            message: "a query name is missing after \"?\"; add it, or remove \"?\""),
        Wrong(
            text: "a?x&", offset: 3, length: 1,
            message: "a query name is missing after \"&\"; add it, or remove \"&\""),
        Wrong(text: "a?x&x", offset: 4, length: 1, message: "the query name \"x\" appears twice; remove one"),
        Wrong(
            text: "a?x=1", offset: 3, length: 2,
            message: "a pattern can require a query item, but not its value; write only the name"),
        Wrong(
            text: "a?ñ", offset: 2, length: 2,
            message:
                "\"ñ\" is not allowed in a query name; use letters, digits, \"_\", \"-\", \".\", \"[\" and \"]\""),
        Wrong(
            text: "a%20b", offset: 1, length: 1,
            message: "literals are unescaped; write the character itself instead of a percent escape"),
        Wrong(
            text: "a#b", offset: 1, length: 1,
            message: "\"#\" is not allowed in a literal; a parameter is written \":name\""),
        Wrong(text: "a\u{1}", offset: 1, length: 1, message: "a control character; remove it"),
        Wrong(text: "é/a\u{96}b", offset: 4, length: 2, message: "a control character; remove it"),
        Wrong(text: ":x(a|\u{9f})", offset: 5, length: 2, message: "a control character; remove it"),
        Wrong(text: "a/..", offset: 2, length: 2, message: "the gate refuses links with the segment \"..\"; remove it"),
    ])
    func invalidPatternIsReportedWithPosition(row: Wrong) {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern(row.text) }
        #expect(
            error == RoutePatternError(pattern: row.text, offset: row.offset, length: row.length, message: row.message))
    }

    @Test func caretsCountCharacters() throws {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern("ñ/:día") }
        #expect(error?.caretLines == "ñ/:día\n    ^")
        #expect(
            error?.description
                == "pattern \"ñ/:día\": a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"
        )
    }

    @Test func controlCharactersAreEscapedInErrors() throws {
        let error = #expect(throws: RoutePatternError.self) { try RoutePattern("a\n\u{1B}[2J/:b(x)") }
        #expect(error?.description == "pattern \"a\\n\\u{1b}[2J/:b(x)\": a control character; remove it")
        #expect(error?.caretLines == "a\u{FFFD}\u{FFFD}[2J/:b(x)\n ^")
    }

    @Test func randomTextNeverTraps() {
        var random = SplitMix64(state: 3)
        let pieces = ["a", ":", "*", "?", "(", ")", "|", "/", "&", "int", "é", ".", "=", "%", "#", "b"]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            do {
                _ = try RoutePattern(text)
            } catch {
                #expect(error.offset >= 0 && error.offset + error.length <= text.utf8.count, "\(text): \(error)")
            }
        }
    }
}

@Suite struct ParameterTypeTests {
    @Test(arguments: [
        ("int", "0", true), ("int", "-7", true), ("int", "007", true), ("int", "9223372036854775807", true),
        ("int", "9223372036854775808", false), ("int", "-9223372036854775808", true),
        ("int", "-9223372036854775809", false), ("int", "-", false), ("int", "+1", false), ("int", "1a", false),
        ("int", "\u{661}", false), ("int", "", false),
        ("uuid", "00000000-0000-4000-8000-00000000aBcD", true), ("uuid", "00000000-0000-4000-8000-00000000aBcG", false),
        ("uuid", "000000000000-4000-8000-000000000000-", false), ("uuid", "1", false),
        ("slug", "Great-Value_2", true), ("slug", "2x", true), ("slug", "-a", false), ("slug", "a.b", false),
        ("slug", "é", false), ("alnum", "A1z", true), ("alnum", "a-b", false), ("alnum", "", false),
        ("en|fr", "EN", true), ("en|fr", "de", false), ("en|fr", "en|fr", false), ("é|a", "é", true),
        ("é|a", "É", false),
    ])
    func typeMatchesValue(type: String, value: String, isAccepted: Bool) throws {
        guard case .parameter(_, let parsed?) = try RoutePattern(":x(\(type))").segments[0] else {
            Issue.record("no type")
            return
        }
        #expect(parsed.accepts(value) == isAccepted)
        #expect(parsed.description == type)
    }

    /// Each type does what its declaration says, wherever links are made of it.
    @Test(arguments: NamedParameterType.allCases)
    func declarationOfTypeHolds(type: NamedParameterType) throws {
        let declaration = type.declaration
        #expect(try RoutePattern("p/:x(\(declaration.name))").segments.last?.type == .named(type))
        func accepts(_ value: String) -> Bool { type.accepts(Array(value.utf8)) }
        let values =
            [declaration.commonValue] + declaration.ownValues + declaration.routeValues + declaration.validValues
        for value in values { #expect(accepts(value), "\(value)") }
        #expect(!accepts(""))
        for value in declaration.invalidValues + declaration.excessiveValues { #expect(!accepts(value), "\(value)") }
        #expect(!declaration.ownValues.isEmpty && Set(declaration.routeValues).count > 1)
        let android = try Regex(declaration.androidPattern.replacing("{0,1}", with: "?"))
        for value in values { #expect(value.wholeMatch(of: android) != nil, "\(value)") }
        for value in declaration.invalidValues { #expect(value.wholeMatch(of: android) == nil, "\(value)") }
        if declaration.androidExcess == nil { #expect(declaration.excessiveValues.isEmpty) }
        if let (start, rest) = declaration.androidStart {
            let cut = try Regex("\(start.replacing("{0,1}", with: "?"))[\(rest.replacing("-", with: "\\-"))]*")
            for value in values { #expect(value.wholeMatch(of: cut) != nil, "\(value)") }
        }
        if let filler = type.filler(from: 0, endingWith: 0) { #expect(type.accepts(filler)) }
        // At most eight types fit into the table's sets.
        #expect(type.rawValue < 8)
    }

    /// Of the common values, one is accepted by at least the types that accept any other text.
    @Test func commonValuesRepresentAllTexts() {
        func types(_ text: String) -> Set<NamedParameterType> {
            Set(NamedParameterType.allCases.filter { $0.accepts(Array(text.utf8)) })
        }
        let common = NamedParameterType.commonValues.map(types)
        for declaration in NamedParameterType.allCases.map(\.declaration) {
            for text in declaration.ownValues + declaration.routeValues + declaration.validValues + ["-5", "a1", "x-_"]
            {
                #expect(common.contains { types(text).isSubset(of: $0) }, "\(text)")
            }
        }
    }
}
