import GlassBase

/// The possible decisions of a device about a link. Both are possible if the behavior is unknown.
struct AssociationOutcomes: OptionSet, Sendable {
    let rawValue: UInt8

    /// The app opens.
    static let opens = AssociationOutcomes(rawValue: 1)
    /// The link stays in the browser.
    static let stays = AssociationOutcomes(rawValue: 2)
}

/// A compiled entry of `components` or `paths` in an `apple-app-site-association` file.
///
/// An entry has one reading for each way in which devices may interpret it. Recorded or documented behavior has a
/// single reading. A result is certain if all readings agree.
struct AssociationComponent: Sendable {
    /// The content of an entry, including its defaults.
    struct Content {
        /// The pattern of the whole path; nil ignores the path.
        var path: String?
        var query = Query.any
        var fragment: String?
        var isExcluded = false
        var isCaseSensitive = true
        /// Whether patterns are compared with the link as written, including escapes.
        var isPercentEncoded = true
        /// Whether the entry never matches.
        var isNever = false

        enum Query {
            case any
            case whole(String)
            case items([(name: String, value: String)])

            fileprivate var patterns: [String] {
                switch self {
                case .any: []
                case .whole(let text): [text]
                case .items(let items): items.map(\.value)
                }
            }
        }

        fileprivate var patterns: [String] { [path, fragment].compactMap(\.self) + query.patterns }
    }

    private enum Query {
        case any
        case whole(SitePattern)
        case items([(name: [UInt32], value: SitePattern)])
    }

    private struct Reading {
        /// The path has to match one of these patterns; nil ignores the path.
        let path: [SitePattern]?
        let query: Query
        let fragment: SitePattern?
        let isExcluded: Bool
        let isCaseSensitive: Bool
        let isPercentEncoded: Bool
    }

    private let readings: [Reading]

    /// The prefix of matching paths, for ``LiteralPrefixIndex``.
    let pathPrefix: [UInt8]

    /// The size of the patterns in bytes.
    let size: Int

    /// Compiles an entry with one reading, except for ambiguous patterns.
    init(
        _ content: Content, variables: SiteVariables, budget: WorkBudget, on phase: WorkBudget.Phase
    ) throws(WorkBudget.Exceeded) {
        try self.init([content], variables: variables, budget: budget, on: phase)
    }

    /// Compiles an entry with several possible readings.
    init(
        _ contents: [Content], variables: SiteVariables, budget: WorkBudget, on phase: WorkBudget.Phase
    ) throws(WorkBudget.Exceeded) {
        var readings: [Reading] = []
        var size = 0
        for content in contents {
            let length = content.patterns.reduce(0) { $0 + $1.utf8.count }
            try budget.spend(1 + length / 8, on: phase)
            let names = content.patterns.reduce(into: Set<String>()) {
                $0.formUnion(SitePattern.names(in: $1.unicodeScalars))
            }
            let lists: [SiteVariables.Lists] =
                names.contains(where: variables.hasTwoReadings) ? SiteVariables.Lists.allCases : [.narrow]
            let paths = content.path.map { PathReadings($0, variables).readings } ?? [nil]
            // Charged before the allocation, because every entry repeats a long default.
            let bytes = lists.count * paths.count * (128 + 2 * MemoryLayout<SitePattern.Token>.stride * length)
            try budget.hold(bytes: bytes, for: phase)
            size += bytes
            for lists in lists {
                func compiled(_ text: String) -> SitePattern {
                    SitePattern(
                        text.unicodeScalars, variables: variables, lists: lists,
                        isCaseSensitive: content.isCaseSensitive)
                }
                let query: Query =
                    switch content.query {
                    case .any: .any
                    case .whole(let text): .whole(compiled(text))
                    case .items(let items):
                        .items(items.map { ($0.name.unicodeScalars.map(\.value), compiled($0.value)) })
                    }
                let fragment = content.fragment.map(compiled)
                for path in paths {
                    readings.append(
                        Reading(
                            path: content.isNever ? [] : path?.map(compiled), query: query, fragment: fragment,
                            isExcluded: content.isExcluded, isCaseSensitive: content.isCaseSensitive,
                            isPercentEncoded: content.isPercentEncoded))
                }
            }
        }
        self.readings = readings
        self.size = size
        let paths = contents.filter { !$0.isNever }.map { $0.isPercentEncoded ? $0.path : nil }
        pathPrefix = paths.count == 1 ? paths[0].map(PathReadings.prefix) ?? [] : []
    }

    /// Whether a pattern contains `//` other than at its ends.
    static func hasEmptySegment(_ path: String) -> Bool { PathReadings.parts(of: path).body.contains("//") }

    /// The possible decisions for a link, and whether the next entry may decide instead.
    func outcomes(
        of link: AssociationLink, _ work: inout MatchingWork
    ) throws(WorkBudget.Exceeded) -> (possible: AssociationOutcomes, mayPass: Bool) {
        var possible: AssociationOutcomes = []
        var mayPass = false
        for reading in readings {
            let parts = reading.isPercentEncoded ? link.encoded : link.decoded
            for path in parts.paths {
                if try matches(reading, path, parts, &work) {
                    possible.insert(reading.isExcluded ? .stays : .opens)
                } else {
                    mayPass = true
                }
            }
        }
        return (possible, mayPass)
    }

    private func matches(
        _ reading: Reading, _ path: [UInt32], _ parts: AssociationLink.Parts, _ work: inout MatchingWork
    ) throws(WorkBudget.Exceeded) -> Bool {
        if let patterns = reading.path {
            var isTaken = false
            for pattern in patterns where !isTaken { isTaken = try pattern.matches(path, &work) }
            guard isTaken else { return false }
        }
        if let fragment = reading.fragment, !(try fragment.matches([], &work)) { return false }
        switch reading.query {
        case .any: return true
        case .whole(let pattern): return try pattern.matches(parts.query, &work)
        case .items(let wanted):
            for (name, pattern) in wanted {
                var isMissing = true
                for item in parts.items {
                    try work.add(1)
                    guard Self.isEqual(item.name, name, isCaseSensitive: reading.isCaseSensitive) else { continue }
                    isMissing = false
                    // If a name is repeated, each item has to match.
                    guard try pattern.matches(item.value, &work) else { return false }
                }
                // A missing item counts as empty.
                if isMissing, !(try pattern.matches([], &work)) { return false }
            }
            return true
        }
    }

    private static func isEqual(_ one: [UInt32], _ other: [UInt32], isCaseSensitive: Bool) -> Bool {
        guard one.count == other.count else { return false }
        return isCaseSensitive
            ? one == other : zip(one, other).allSatisfy { SitePattern.folded($0) == SitePattern.folded($1) }
    }
}

/// The ways in which devices may interpret the pattern of a path.
///
/// Recorded: leading slashes and trailing runs of slashes are ignored, and a pattern that ends in `/*` also matches the
/// path without that segment. How this combines with a wildcard at the start, or with `//` inside, is unknown.
private struct PathReadings {
    /// The alternatives of each reading, one of which must match the path. The path begins with a slash and does not
    /// end in one.
    let readings: [[String]?]

    init(_ text: String, _ variables: SiteVariables) {
        let (body, hasSlashAtStart, hasSlashAtEnd) = Self.parts(of: text)
        func withParent(_ pattern: String) -> [String] {
            pattern.hasSuffix("/*") ? [pattern, String(pattern.dropLast(2))] : [pattern]
        }
        let base = "/" + body
        var readings = [hasSlashAtEnd ? [base] : withParent(base)]
        // No recorded result shows whether `/buy/*/` matches `/buy`.
        if hasSlashAtEnd, body.hasSuffix("/*") { readings.append(withParent(base)) }
        // No recorded result shows whether an empty pattern matches every path or only the home page.
        if text.isEmpty { readings.append(["*"]) }
        if body.contains("//") {
            let collapsed = String(
                String.UnicodeScalarView(
                    AssociationLink.withoutRepeatedSlashes(base.unicodeScalars.map(\.value)).compactMap(
                        Unicode.Scalar.init)))
            readings += [[base], withParent(collapsed)]
        }
        switch body.unicodeScalars.first {
        case "*" where !hasSlashAtStart, "?" where !hasSlashAtStart:
            // The wildcard may match the slash at the start of the path.
            readings.append(hasSlashAtEnd ? [body] : withParent(body))
        case "$":
            let names = SitePattern.names(in: body.prefix { $0 != ")" }.unicodeScalars + [")"])
            if names.contains(where: variables.mayBeginWithSlash) { readings.append(readings[0] + withParent(body)) }
        default: break
        }
        self.readings = readings
    }

    /// The prefix of the paths that a pattern matches in every reading; empty if they differ.
    static func prefix(of text: String) -> [UInt8] {
        let (body, _, _) = parts(of: text)
        return body.contains("//") || text.isEmpty ? [] : LiteralPrefixIndex.prefix(ofComponent: "/" + body)
    }

    /// The pattern without leading and trailing slashes.
    static func parts(of text: String) -> (body: String, hasSlashAtStart: Bool, hasSlashAtEnd: Bool) {
        let slash: Unicode.Scalar = "/"
        let scalars = text.unicodeScalars
        var body = scalars.drop { $0 == slash }
        let hasSlashAtEnd = body.last == slash
        while body.last == slash { body.removeLast() }
        return (String(body), scalars.first == slash, hasSlashAtEnd)
    }
}
