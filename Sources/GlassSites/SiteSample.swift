import GlassBase
import GlassDeepLinking

/// A link derived from a route, to be matched against the table and the files.
struct SiteSample: Sendable {
    /// The change to the route's plain link. The table determines whether the result still matches.
    enum Trait: Sendable, Equatable {
        case plain, letterCase, trailingSlash, bareHost
        case value, number, literal, emptyValue
        case extraSegment, missingSegment, emptySegment
        case queryName, queryMissing, queryEmpty
        case elsewhere
    }

    /// The path as written in a link; empty for a bare host.
    var path: String
    /// The query as written in a link, without `?`.
    var query: String?
    var trait: Trait

    /// The link's path and query.
    var suffix: String { path + (query.map { "?" + $0 } ?? "") }

    /// The link in the form that the components of an association file match.
    var associationLink: AssociationLink { AssociationLink(path: path, query: query) }

    /// Whether the path contains consecutive slashes. The gate refuses such links, and it is unknown how Apple's
    /// devices match them.
    var hasEmptySegment: Bool { path.contains("//") }

    /// The path as Android sees it.
    var decodedPath: String { SiteText.decoded(path) }

    /// Links that match a pattern, and near misses.
    static func samples(of pattern: RoutePattern, budget: WorkBudget) throws(WorkBudget.Exceeded) -> [SiteSample] {
        var result: [SiteSample] = []
        for variant in SiteVariant.variants(of: pattern) {
            try budget.spend(SiteSampler.work(of: variant), on: .exporting)
            result += SiteSampler(variant: variant).samples()
        }
        return result + [SiteSample(path: "/no-such/route/of/any/market", query: nil, trait: .elsewhere)]
    }

    /// A plain link of a pattern.
    static func example(of pattern: RoutePattern) -> SiteSample? {
        SiteVariant.variants(of: pattern).first.map { SiteSampler(variant: $0).plain }
    }
}

/// Creates the samples of one variant.
private struct SiteSampler {
    let variant: SiteVariant

    /// The cost of the samples in steps: for each segment, several links as long as the pattern.
    static func work(of variant: SiteVariant) -> Int {
        var (links, size) = (16 + 8 * variant.query.count, 16)
        for segment in variant.segments {
            links += 16
            switch segment {
            case .literal(let text): size += text.utf8.count
            case .parameter, .affixed, .catchAll:
                if case .oneOf(let words)? = segment.type {
                    links += 2 * words.count
                    size += words.first?.utf8.count ?? 0
                }
                size += 8 + segment.text(of: "").utf8.count
            }
        }
        size += variant.query.reduce(0) { $0 + $1.utf8.count }
        return links * (4 + size / 16)
    }

    /// The first of the samples.
    var plain: SiteSample {
        let texts = variant.segments.map { goodTexts($0)[0] } + (variant.isCatchAll ? ["x"] : [])
        return SiteSample(path: "/" + texts.joined(separator: "/"), query: query, trait: .plain)
    }

    private var query: String? {
        variant.query.isEmpty ? nil : variant.query.map { SiteText.queryName($0) + "=1" }.joined(separator: "&")
    }

    func samples() -> [SiteSample] {
        let good = variant.segments.map(goodTexts)
        let first = good.map { $0[0] } + (variant.isCatchAll ? ["x"] : [])
        let query = query
        var result: [SiteSample] = []
        func add(_ texts: [String], _ trait: SiteSample.Trait, end: String = "") {
            result.append(SiteSample(path: "/" + texts.joined(separator: "/") + end, query: query, trait: trait))
        }
        func replacing(_ index: Int, _ text: String) -> [String] {
            var texts = first
            texts[index] = text
            return texts
        }

        // Matches.
        add(first, .plain)
        let last = good.map { $0[$0.count - 1] } + (variant.isCatchAll ? ["x", "y"] : [])
        add(last, .plain)
        for (index, texts) in good.enumerated() {
            for text in texts.dropFirst() { add(replacing(index, text), .plain) }
        }
        if variant.isCatchAll {
            for rest in ["x/y/z", "caf%C3%A9/a.b", "1/2/3/4/5/6"] { add(first.dropLast() + [rest], .plain) }
        }
        if first.isEmpty {
            result.append(SiteSample(path: "", query: query, trait: .bareHost))
        } else {
            add(first, .trailingSlash, end: "/")
        }
        result.append(SiteSample(path: result[0].path, query: (query.map { $0 + "&" } ?? "") + "utm=1", trait: .plain))
        for (index, segment) in variant.segments.enumerated() {
            for text in SiteSampler.otherCase(segment) { add(replacing(index, text), .letterCase) }
        }

        // Near misses.
        for (index, segment) in variant.segments.enumerated() {
            for (text, trait) in SiteSampler.badTexts(segment) {
                add(replacing(index, text), trait)
                var others = last
                others[index] = text
                add(others, trait)
            }
            if case .affixed(let parameter) = segment {
                // Without a value, and with a slash in its place.
                let text = SiteText.pathSegment(parameter.text(of: ""))
                add(replacing(index, text), .emptyValue)
                add(replacing(index, text), .emptyValue, end: "/")
                add(replacing(index, text) + (variant.isCatchAll ? ["y"] : []), .emptyValue)
            }
        }
        for index in 0...first.count {
            // Two values, because another route may match one of them.
            for text in ["x", "~.x"] {
                var texts = first
                texts.insert(text, at: index)
                add(texts, .extraSegment)
            }
            var texts = first
            texts.insert("", at: index)
            add(texts, .emptySegment)
        }
        add(first, .emptySegment, end: "//")
        if variant.isCatchAll { add(first, .emptySegment, end: "//y") }
        for index in first.indices {
            var texts = first
            texts.remove(at: index)
            add(texts, .missingSegment)
            add(texts, .missingSegment, end: "/")
        }
        return result + querySamples(path: result[0].path)
    }

    private func querySamples(path: String) -> [SiteSample] {
        guard !variant.query.isEmpty else { return [] }
        let names = variant.query.map(SiteText.queryName)
        var result = [SiteSample(path: path, query: nil, trait: .queryMissing)]
        for index in names.indices {
            var items = names.map { $0 + "=1" }
            items[index] = names[index] + "="
            result.append(SiteSample(path: path, query: items.joined(separator: "&"), trait: .queryEmpty))
            items[index] = names[index]
            result.append(SiteSample(path: path, query: items.joined(separator: "&"), trait: .queryEmpty))
            items[index] = "other=1"
            result.append(SiteSample(path: path, query: items.joined(separator: "&"), trait: .queryMissing))
            items[index] = SiteSampler.swappedCase(names[index]) + "=1"
            if items[index] != names[index] + "=1" {
                result.append(SiteSample(path: path, query: items.joined(separator: "&"), trait: .queryName))
            }
        }
        return result
    }

    private func goodTexts(_ segment: RoutePattern.Segment) -> [String] {
        guard case .affixed(let parameter) = segment else {
            if case .literal(let text) = segment { return [SiteText.pathSegment(text)] }
            return Self.values(of: segment.type)
        }
        // The suffix, or the start of it, within the value is what patterns find hard.
        let more =
            parameter.type == nil
            ? ["x\(SiteText.pathSegment(parameter.suffix))x"]
            : parameter.suffix.unicodeScalars.prefix(1).map { "1\($0)1" }.filter {
                parameter.type?.accepts($0) == true
            }
        return (Self.values(of: parameter.type) + more).map { Self.text(parameter, $0) }
    }

    private static func values(of type: ParameterType?) -> [String] {
        switch type {
        case .named(let type): type.declaration.validValues
        case .oneOf(let words): words.map(SiteText.pathSegment)
        case nil: ["x", "42", "a-b", "a.b", "caf%C3%A9", "a%20b", "10%25", "~"]
        }
    }

    /// The segment with a value as written in a link.
    private static func text(_ parameter: AffixedParameter, _ value: String) -> String {
        SiteText.pathSegment(parameter.prefix) + value + SiteText.pathSegment(parameter.suffix)
    }

    private static func otherCase(_ segment: RoutePattern.Segment) -> [String] {
        switch segment {
        case .literal(let text):
            let swapped = swappedCase(text)
            return swapped == text ? [] : [SiteText.pathSegment(swapped)]
        case .parameter(_, .oneOf(let words)):
            return words.filter { swappedCase($0) != $0 }.map { SiteText.pathSegment(swappedCase($0)) }
        case .affixed(let parameter):
            let swapped = AffixedParameter(
                prefix: swappedCase(parameter.prefix), name: parameter.name, type: parameter.type,
                suffix: swappedCase(parameter.suffix))
            return swapped == parameter ? [] : [text(swapped, values(of: parameter.type)[0])]
        default: return []
        }
    }

    private static func badTexts(_ segment: RoutePattern.Segment) -> [(String, SiteSample.Trait)] {
        let odd = "~.x"  // matches no type and no list
        switch segment {
        case .literal(let text):
            let text = SiteText.pathSegment(text)
            return [(text + "x", .literal), ("x" + text, .literal), (odd, .literal)]
        case .affixed(let parameter):
            let good = text(parameter, values(of: parameter.type)[0])
            return badTexts(.parameter(name: parameter.name, type: parameter.type)).map {
                (text(parameter, $0.0), $0.1)
            } + [(odd, .literal)]
                + (parameter.prefix.isEmpty ? [] : [("~" + good, .literal)])
                + (parameter.suffix.isEmpty ? [] : [(good + "~", .literal)])
        case .parameter(_, .named(let type)):
            return ([odd] + type.declaration.invalidValues).map { ($0, .value) }
                + type.declaration.excessiveValues.map { ($0, .number) }
        case .parameter(_, .oneOf(let words)):
            return [(odd, .value)] + words.prefix(2).map { (SiteText.pathSegment($0) + "x", .value) }
        case .parameter(_, .none), .catchAll: return []
        }
    }

    private static func swappedCase(_ text: String) -> String {
        String(decoding: text.utf8.map { ASCII.isLetter($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self)
    }
}
