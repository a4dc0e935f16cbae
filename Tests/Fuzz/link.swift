// The gate, the parser and the matcher: refused links go nowhere, parsed links have one meaning, and the byte matcher
// agrees with trying every pattern.
//
// An input consists of lines: patterns, and a link on the last line. The first byte selects how to read them: with a
// lowercase letter, the lines are taken verbatim; otherwise they spell patterns and links in a small alphabet, so that
// many match.
//
// With GATE, the whole input is a link, and the table is always the same: many more links in the same time.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLink(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    #if GATE
        check(patterns: gatePatterns, link: input)
        return 0
    #endif
    guard let first = input.first else { return 0 }
    if first >= 0x61 && first <= 0x7A {
        let lines = input.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        check(patterns: lines.dropLast().prefix(12).map { String(decoding: $0, as: UTF8.self) }, link: lines.last ?? [])
    } else {
        var speller = Speller(bytes: input.dropFirst())
        let patterns = (0..<Int(first % 9)).map { _ in speller.pattern() }
        check(patterns: patterns, link: Array(speller.link().utf8))
    }
    return 0
}

/// One pattern of each kind, for the target `gate`.
private let gatePatterns = [
    "/", "cart", "ip/:itemID(int)", "ip/:slug/:itemID(int)", "orders/:orderID(slug)", "o/:id(uuid)", "r/:id(alnum)",
    "plus/:section(benefits|join)", "lists/:listID?", "help/*topic", "search?q",
]

/// The routers of the last inputs, because building one takes longer than all the work on a link.
private nonisolated(unsafe) var routers: [[String]: (router: DeepLinkRouter, table: RouteTable)] = [:]
// libFuzzer calls from one thread.

private func router(_ patterns: [String]) -> (router: DeepLinkRouter, table: RouteTable) {
    if let known = routers[patterns] { return known }
    let table = buildTable(patterns)
    let router = DeepLinkRouter(
        configuration: DeepLinkConfiguration(schemes: ["w"], universalLinks: ["www.w.com"], linkParameters: ["u"]))
    do {
        try router.add(patterns: table.declarations.map(\.pattern), waitForPreconditions: false) { _, _ in true }
    } catch {
        preconditionFailure("a table that was built cannot be registered: \(error)")
    }
    if routers.count >= 4_096 { routers.removeAll(keepingCapacity: true) }
    routers[patterns] = (router, table)
    return (router, table)
}

private func check(patterns: [String], link bytes: [UInt8]) {
    let (router, table) = router(patterns)
    let text = String(decoding: bytes, as: UTF8.self)
    let result = router.open(text)
    let link: DeepLink
    do {
        link = try DeepLink(bytes: bytes)
    } catch {
        precondition(!error.description.isEmpty && error.offset >= 0 && error.offset <= max(bytes.count, 2_048))
        // A `text` that repaired the bytes may be a valid link; without repairs, the refusal applies everywhere.
        if Array(text.utf8) == bytes {
            guard case .refused(let refusal) = result.outcome, refusal == error else {
                preconditionFailure("a refused link was handled: \(result.outcome)")
            }
            precondition(result.routableID == nil && result.parameters.isEmpty)
        }
        return
    }
    if case .routed = result.outcome {
        precondition(link.isWebLink ? link.scheme == "https" && link.host == "www.w.com" : link.scheme == "w")
    }
    compareWithNormalForm(link)
    compareWithEveryPattern(table, link)
}

/// A table of the patterns that compile and don't conflict; those that are left out must be invalid for a true reason.
private func buildTable(_ patterns: [String]) -> RouteTable {
    var left = patterns.enumerated().map { RouteDeclaration(pattern: $1, routableID: "r\($0)", index: 0) }
    while true {
        do {
            return try RouteTable(left)
        } catch {
            var wrong: Set<RouteDeclaration> = []
            for issue in error.issues {
                precondition(!issue.description.isEmpty)
                switch issue {
                case .pattern(let route, let error):
                    let bytes = route.pattern.utf8.count
                    precondition(error.offset >= 0 && error.length >= 0 && error.offset + error.length <= bytes + 1)
                    precondition(!error.caretLines.isEmpty)
                    wrong.insert(route)
                case .unreachable(let route, _, _): wrong.insert(route)
                case .conflict(let first, let second, let witness):
                    checkClash(first, second, witness)
                    wrong.insert(second)
                case .tooManyVisits(_, _, _, let routes): wrong.formUnion(routes)
                case .exceeded(let text):
                    // An app's own routes may take a minute, and an input has few patterns.
                    preconditionFailure("\(left.count) routes exceed the budget: \(text)")
                }
            }
            precondition(!wrong.isEmpty, "an error without a route: \(error)")
            left.removeAll(where: wrong.contains)
        }
    }
}

private func checkClash(_ first: RouteDeclaration, _ second: RouteDeclaration, _ witness: String) {
    do {
        // A host may have fewer characters than a segment, so the witness is tried as a path.
        let link = try DeepLink("w:/" + witness, limits: DeepLinkLimits(length: .max, segments: 64, queryItems: .max))
        let ranks = try [first, second].map { rank(try RoutePattern($0.pattern), link) }
        precondition(ranks[0] != nil && ranks[0] == ranks[1], "no conflict between \(first) and \(second): \(witness)")
    } catch {
        preconditionFailure("the witness \(witness) of \(first) and \(second): \(error)")
    }
}

/// A link that is written from its parts parses to the same parts and the same text.
private func compareWithNormalForm(_ link: DeepLink) {
    let text = normalForm(link)
    do {
        let again = try DeepLink(text, limits: DeepLinkLimits(length: .max))
        precondition(
            again.scheme == link.scheme && again.host == link.host && bytes(again.segments) == bytes(link.segments),
            "\(link) became \(again)")
        precondition(again.queryItems.count == link.queryItems.count, "\(link) became \(again)")
        for (one, other) in zip(again.queryItems, link.queryItems) {
            precondition(bytes([one.name]) == bytes([other.name]), "\(link) became \(again)")
            precondition(one.value.map { Array($0.utf8) } == other.value.map { Array($0.utf8) })
        }
        precondition(again.fragment.map { Array($0.utf8) } == link.fragment.map { Array($0.utf8) })
        precondition(normalForm(again) == text, "\(text) is not its own normal form")
    } catch {
        preconditionFailure("\(link) has no normal form: \(error)")
    }
}

private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

private func normalForm(_ link: DeepLink) -> String {
    var text = "\(link.scheme)://\(link.host)"
    let isHostASegment = !link.isWebLink && !link.host.isEmpty
    for segment in link.segments.dropFirst(isHostASegment ? 1 : 0) { text += "/" + segment.utf8.percentEncoded }
    let items = link.queryItems.map { item in
        item.name.utf8.percentEncoded + (item.value.map { "=" + $0.utf8.percentEncoded } ?? "")
    }
    if !items.isEmpty { text += "?" + items.joined(separator: "&") }
    if let fragment = link.fragment { text += "#" + fragment.utf8.percentEncoded }
    return text
}

/// The table finds the same routes as trying every pattern, in the same order, within its bound.
private func compareWithEveryPattern(_ table: RouteTable, _ link: DeepLink) {
    let (segments, items) = (link.segments, link.queryItems)
    let expected = table.patterns.enumerated()
        .compactMap { ordinal, pattern in rank(pattern, segments, items).map { (ordinal: ordinal, rank: $0) } }
        .sorted { $1.rank.lexicographicallyPrecedes($0.rank) }
    for (one, other) in zip(expected, expected.dropFirst()) {
        precondition(one.rank != other.rank, "equal rank for \(link) in \(table.patterns)")
    }
    let found = table.matches(for: link)
    precondition(found.map(\.ordinal) == expected.map(\.ordinal), "\(link) in \(table.patterns)")
    precondition(table.bestMatch(for: link)?.ordinal == expected.first?.ordinal, "best of \(link)")
    precondition(
        table.visits(for: link) <= table.worstVisits, "matching \(link) exceeds the bound in \(table.patterns)")
    for match in found {
        let pattern = table.patterns[match.ordinal]
        for element in match.parameters.elements { precondition(pattern.parameterNames.contains(element.name)) }
        let isShort = segments.count < pattern.segments.count
        precondition(match.parameters.elements.count == pattern.parameterNames.count - (isShort ? 1 : 0))
    }
}

/// The kinds of the pattern's segments, best first, and its query items; `nil` if it does not match.
private func rank(_ pattern: RoutePattern, _ link: DeepLink) -> [Int]? {
    rank(pattern, link.segments, link.queryItems)
}

private func rank(_ pattern: RoutePattern, _ segments: [String], _ items: [QueryItem]) -> [Int]? {
    for name in pattern.requiredQuery {
        let isThere = items.contains { $0.name == name && $0.value?.isEmpty == false }
        if !isThere { return nil }
    }
    for optional in pattern.isLastOptional ? [0, 1] : [0] {
        let parts = pattern.segments.dropLast(optional)
        var kinds: [Int] = []
        var fits = true
        var takesRest = false
        for (index, part) in parts.enumerated() where fits && !takesRest {
            guard index < segments.count else {
                fits = false
                break
            }
            switch part {
            case .literal(let text):
                fits = text.utf8.asciiFolded == segments[index].utf8.asciiFolded
                kinds.append(3)
            case .parameter(_, let type?):
                fits = type.accepts(segments[index])
                kinds.append(2)
            case .parameter: kinds.append(1)
            case .catchAll:
                takesRest = true
                kinds.append(0)
            }
        }
        if fits && (takesRest || parts.count == segments.count) { return kinds + [pattern.requiredQuery.count] }
    }
    return nil
}

/// Spells patterns and links in a small alphabet.
private struct Speller {
    var bytes: ArraySlice<UInt8>

    mutating func next(_ limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

    mutating func pattern() -> String {
        let parts = [
            "a", "b", "7", "A", "long-literal-of-more-than-eight", "other-literal-of-more-than-eight", "é", ":", ":",
            ":(int)", ":(uuid)", ":(slug)", ":(alnum)", ":(a|b)", ":(B|7)", ":(long-literal-of-more-than-eight|é)",
        ]
        var segments: [String] = []
        for place in 0..<next(5) {
            let part = parts[next(parts.count)]
            segments.append(part.hasPrefix(":") ? ":p\(place)" + part.dropFirst() : part)
        }
        switch next(6) {
        case 0: segments.append("*r")
        case 1 where segments.last?.hasPrefix(":") == true: segments[segments.count - 1] += "?"
        default: break
        }
        return segments.joined(separator: "/") + ["", "", "", "?x", "?x&y", "?y"][next(6)]
    }

    mutating func link() -> String {
        let words = [
            "a", "b", "7", "B", "LONG-literal-of-more-than-eight", "other-literal-of-more-than-eight", "%c3%A9", "é",
            "-5", "c", "%61", "00000000-0000-4000-8000-00000000000A", "Long-literal-of-more-than-eighu", "x.y", "a%2Fb",
        ]
        let segments = (0..<next(6)).map { _ in words[next(words.count)] }
        let query = ["", "?", "?x=1", "?y=1&x=%41", "?x=&x=2", "?x&y=1", "?%78=+", "?x=1#f", "?u=w://a"][next(9)]
        return ["w://", "w:/", "w:", "W:///", "https://www.w.com/", "HTTPS://WWW.w.COM:443/"][next(6)]
            + segments.joined(separator: "/") + ["", "/"][next(2)] + query
    }
}
