import Testing

@testable import GlassDeepLinking

@Suite struct LinkTemplateTests {
    struct Compiled: Sendable {
        let text: String
        let parts: [LinkTemplate.Part]
    }

    @Test(arguments: [
        Compiled(text: "", parts: []),
        Compiled(text: "ca", parts: [.literal("ca")]),
        Compiled(text: "{code}", parts: [.parameter(name: "code", default: nil)]),
        Compiled(text: "{code|all}", parts: [.parameter(name: "code", default: "all")]),
        Compiled(text: "{code|}", parts: [.parameter(name: "code", default: "")]),
        Compiled(text: "{code|a|b c}", parts: [.parameter(name: "code", default: "a|b c")]),
        Compiled(text: "{?utm_source}", parts: [.queryItem(name: "utm_source", default: nil)]),
        Compiled(text: "{?a[0].b-c|?}", parts: [.queryItem(name: "a[0].b-c", default: "?")]),
        Compiled(text: "{?0}", parts: [.queryItem(name: "0", default: nil)]),
        Compiled(
            text: "n\u{303}/{a}{b}-é",
            parts: [
                .literal("n\u{303}/"), .parameter(name: "a", default: nil), .parameter(name: "b", default: nil),
                .literal("-é"),
            ]),
        Compiled(text: "{{code}}", parts: [.literal("{code}")]),
        Compiled(text: "{{{code}}}", parts: [.literal("{"), .parameter(name: "code", default: nil), .literal("}")]),
        Compiled(text: "{a}}}", parts: [.parameter(name: "a", default: nil), .literal("}")]),
    ])
    func templateIsCompiled(row: Compiled) throws {
        let template = try LinkTemplate(row.text)
        #expect(template.parts == row.parts)
        #expect(template.description == row.text)
    }

    struct Refused: Sendable {
        let text: String
        let offset: Int
        let length: Int
        let message: String
    }

    private static let unclosed = "the placeholder is not closed; add \"}\", or write \"{{\" for a brace"
    private static let badName =
        "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit"

    @Test(arguments: [
        Refused(text: "a{b", offset: 1, length: 2, message: unclosed),
        Refused(text: "{", offset: 0, length: 1, message: unclosed),
        Refused(text: "{a {b}", offset: 0, length: 3, message: unclosed),
        Refused(text: "{a|x{b}", offset: 0, length: 4, message: unclosed),
        Refused(
            text: "é}", offset: 2, length: 1, message: "\"}\" does not close a placeholder; write \"}}\" for a brace"),
        Refused(
            text: "{a}}", offset: 3, length: 1, message: "\"}\" does not close a placeholder; write \"}}\" for a brace"),
        Refused(
            text: "x{}", offset: 1, length: 2, message: "the placeholder has no name; write one, such as \"{id}\""),
        Refused(text: "{?}", offset: 0, length: 3, message: "the placeholder has no name; write one, such as \"{id}\""),
        Refused(
            text: "{|a}", offset: 0, length: 4, message: "the placeholder has no name; write one, such as \"{id}\""),
        Refused(text: "{1a}", offset: 1, length: 1, message: badName),
        Refused(text: "{a-b}", offset: 2, length: 1, message: badName),
        Refused(text: "{café}", offset: 4, length: 2, message: badName),
        Refused(text: "{a b|c}", offset: 2, length: 1, message: badName),
        Refused(
            text: "{?a b}", offset: 3, length: 1,
            message: "a query name may contain only letters, digits, \"_\", \"-\", \".\", \"[\" and \"]\""),
        Refused(
            text: String(repeating: "{a}", count: 17), offset: 48, length: 3,
            message: "a template may have at most 16 placeholders"),
        Refused(
            text: String(repeating: "a", count: 2_049), offset: 2_048, length: 1,
            message: "2049 bytes exceed the limit of 2048 for a template; shorten it"),
    ])
    func invalidTemplateIsRejected(row: Refused) {
        let error = #expect(throws: LinkTemplateError.self) { try LinkTemplate(row.text) }
        #expect(
            error
                == LinkTemplateError(
                    template: row.text, offset: row.offset, length: row.length, message: row.message))
    }

    @Test func templatesUpToTheLimitsAreAccepted() throws {
        #expect(try LinkTemplate(String(repeating: "a", count: LinkTemplate.lengthLimit)).parts.count == 1)
        #expect(try LinkTemplate(String(repeating: "{a}", count: LinkTemplate.placeholderLimit)).parts.count == 16)
    }

    struct Filled: Sendable {
        let template: String
        let link: String
        let text: String?
    }

    @Test(arguments: [
        Filled(template: "ca", link: "walmart://coupons", text: "ca"),
        Filled(template: "", link: "walmart://coupons", text: ""),
        Filled(template: "{code}", link: "walmart://coupons/A%2FB", text: "A/B"),
        Filled(template: "{code}", link: "walmart://coupons", text: nil),
        Filled(template: "{code|all}", link: "walmart://coupons", text: "all"),
        Filled(template: "{code|}", link: "walmart://coupons", text: ""),
        // A query item is not a path parameter, and vice versa.
        Filled(template: "{code}", link: "walmart://coupons?code=x", text: nil),
        Filled(template: "{?code}", link: "walmart://coupons/x", text: nil),
        Filled(template: "{?code}", link: "walmart://coupons?code=a+b&code=c", text: "a b"),
        Filled(template: "{?code|none}", link: "walmart://coupons?code=", text: "none"),
        Filled(template: "{?code|none}", link: "walmart://coupons?code", text: "none"),
        Filled(template: "{?K}", link: "walmart://coupons?%E2%84%AA=kelvin", text: nil),
        Filled(template: "{code}-{?x|0}", link: "walmart://coupons/7?x=1", text: "7-1"),
        Filled(template: "{code}-{?x|0}", link: "walmart://coupons/7", text: "7-0"),
        Filled(template: "code {code}", link: "walmart://coupons", text: nil),
        // Values from the link are not templates: placeholders in them are not replaced.
        Filled(template: "{code}", link: "walmart://coupons/%7B%3Fx%7D?x=1", text: "{?x}"),
    ])
    func placeholdersAreFilled(row: Filled) throws {
        let template = try LinkTemplate(row.template)
        let router = DeepLinkRouter(configuration: .us)
        let texts = Recorder<String?>()
        router.addRoute("coupons/:code?", waitForPreconditions: false) { link, _ in
            texts.append(template.text(for: link))
            return true
        }
        #expect(router.open(row.link).outcome == .routed)
        #expect(texts.elements == [row.text])
    }
}
