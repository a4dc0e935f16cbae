import TestSupport

/// A random market that extends another one: every kind of value, directive and routable, with texts that are hard to
/// encode.
struct GeneratedMarket {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(state: seed)
    }

    private static let texts = [
        "", "plain", "two words", "\\\"quoted\\\"", "back\\\\slash", "é", "e\\u{301}", "日本語", "a\\nb\\tc",
        "\\0\\1\\31\\127",
        "\\u{2028}", "$secret", "{\\\"$number\\\":1}", "</script>", "%d {x}", "\\u{10FFFF}",
    ]
    private static let numbers = [
        "0", "-1", "40.0", "-0.0", "0.1", "1e300", "5e-324", "9007199254740993", "-9007199254740993.0",
        "3.141592653589793",
        "0x7fffffff", "1e15", "1e16", "123456.75", "2^53", "1/3",
    ]

    /// Returns `true` at random, once in `count` calls on average.
    private mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func any<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func scalar() -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: "\"\(any(Self.texts))\""
        case 1: any(["true", "false"])
        default: any(Self.numbers)
        }
    }

    private mutating func oddKey(_ index: Int) -> String {
        any([
            "k\(index)", "[\"a b\(index)\"]", "[\"$k\(index)\"]", "[\"$$\(index)\"]", "[\"é\(index)\"]",
            "[\"a.b[\(index)]\"]",
            "[\"\\\"q\(index)\"]",
        ])
    }

    private mutating func table(_ count: Int, _ value: (inout Self) -> String) -> String {
        let fields = (0..<count).map { "k\($0) = \(value(&self))" }
        return "{ \(fields.joined(separator: ", ")) }"
    }

    private mutating func routable(_ index: Int, isOwn: Bool) -> String {
        let paths = (0..<Int.random(in: 1...3, using: &random)).map { number in
            "\"\(any(["g\(index)/x\(number)", "g\(index)/:name/y\(number)", "g\(index)/:id(int)/z\(number)"]))\""
        }
        var fields = ["\(isOwn ? "paths" : "customPaths") = { \(Set(paths).sorted().joined(separator: ", ")) }"]
        if isOneIn(2) {
            fields.append("waitForPreconditions = \(any(["true", "false", "{ \"signedIn\" }", "{ \"onboarded\" }"]))")
        }
        if isOwn || isOneIn(3) {
            let shown = any([
                "screen = \"s\(index)\"", "tab = \"shop\"",
                "tab = \"deals\", screen = \"s\(index)\", parameters = { a = \"{?q|none}\", \(oddKey(0)) = \"\(any(Self.texts.filter { !$0.contains("{") }))\" }",
                "screen = \"s\(index)\", parameters = { a = \"{?q}\" }, requires = { \"a\" }",
            ])
            fields.append("show = { \(shown) }")
        }
        return "{ \(fields.joined(separator: ", ")) }"
    }

    /// The file of the market.
    ///
    /// - Parameters:
    ///   - id: Its ID.
    ///   - base: Its base market.
    mutating func file(_ id: String, extending base: String) -> String {
        let defaults = table(Int.random(in: 0...8, using: &random)) { $0.scalar() }
        let attributes = isOneIn(4) ? "{}" : table(Int.random(in: 0...4, using: &random)) { $0.scalar() }
        let statuses = any([
            "append { 53\(id == "g1" ? 0 : 1) }", "append {}", "{ 500, 503 }", "{ 429 }",
            id == "g1" ? "remove { 503 }" : "{ 505 }",
        ])
        let own = (0..<Int.random(in: 0...6, using: &random)).map { "own\($0) = \(routable($0, isOwn: true))" }
        let standard = ["cart", "search", "deals", "pharmacy", "item"].enumerated().compactMap {
            offset, name -> String? in
            switch Int.random(in: 0..<4, using: &random) {
            case 0: "\(name) = \(any(["true", "false", "{}", "unset"]))"
            case 1: "\(name) = \(routable(10 + offset, isOwn: false))"
            default: nil
            }
        }
        return """
            local shared = { \((0..<3).map { _ in scalar() }.joined(separator: ", ")) }
            return {
              id = "\(id)", name = "\(any(Self.texts.filter { !$0.isEmpty }))", extends = "\(base)",
              locales = \(any(["{ \"en-US\" }", "append { \"\(id == "g1" ? "de" : "pt")-BR\" }"])),
              platform = {
                userDefaultsRegistration = { defaults = \(defaults) },
                aniviaSuperAttributes = { attributes = \(attributes), \(isOneIn(2) ? "writeKey = secret \"GLASS_GENERATED\"" : "") },
                networking = { retry = { statuses = \(statuses), maxRetries = \(any(["2", "3.0"])) } },
              },
              routables = { \((own + standard).joined(separator: ",\n    ")) },
            }
            """
    }

    /// A link that this market, or another one, may open.
    mutating func link(_ schemes: [String], _ hosts: [String], _ patterns: [String]) -> String {
        var path =
            isOneIn(8)
            ? ""
            : any(patterns).split(separator: "/").map { part in
                guard part.hasPrefix(":") || part.hasPrefix("*") else { return String(part) }
                return any(["42", "x", "a%20b", "%2F", "", "é", "9999999999999999999"])
            }.joined(separator: "/")
        if isOneIn(6) { path += any(["/", "//", "/more", "%", "#part"]) }
        if isOneIn(3) { path += any(["?q=1", "?q", "?q=a&q=b", "?week=3&id=7", "?%ZZ"]) }
        return isOneIn(3)
            ? "https://\(any(hosts + ["elsewhere.example"]))/\(path)" : "\(any(schemes + ["other"]))://\(path)"
    }
}
