import GlassBase

extension ContextAttribute {
    /// Values of which at least one is in each class into which tests cut the attribute, the simplest ones first; nil if
    /// there are too many, or the budget is exhausted.
    func candidates(for tests: [AttributeTest], budget: WorkBudget) -> [ContextValue]? {
        var literals: [ContextValue] = []
        for test in tests { test.collectLiterals(into: &literals) }
        switch type {
        case .boolean:
            return [.boolean(false), .boolean(true)]
        case .choice(let names) where !names.isEmpty:
            return names.map { .text($0) }
        case .locale(let offered) where !offered.isEmpty:
            return offered.map { .text($0) }
        case .choice:
            return literals + [.text("other")]
        case .locale:
            return literals + [.text("und")]
        case .region:
            let countries = ["US"] + ISOCodes.countries.all
            return countries.first { !literals.contains(.text($0)) }.map { [.text($0)] + literals } ?? literals
        case .text:
            var atoms: [TextAtom] = []
            for test in tests { test.collectAtoms(into: &atoms) }
            var seen: Set<TextAtom> = []
            return TextClasses(atoms.filter { seen.insert($0).inserted }, budget: budget).texts()?.map { .text($0) }
        case .integer, .bucket, .number, .version, .date, .localDate:
            return ordered(literals)
        case .set:
            return []  // its names are dimensions of their own
        }
    }

    /// The values with which tests compare, and one between each two of them.
    private func ordered(_ literals: [ContextValue]) -> [ContextValue] {
        let cuts = literals.distinct { $0.isSortedBefore($1) }
        guard let first = cuts.first, let last = cuts.last else { return simplest.map { [$0] } ?? [] }
        let gaps = zip(cuts, cuts.dropFirst()).compactMap { value(between: $0, and: $1) }
        let values = cuts.filter { cut in
            // The end of the last share is no position.
            if case .bucket = type, let number = cut.doubleValue { (0..<100_000).contains(number) } else { true }
        }
        return values + gaps + [value(between: nil, and: first), value(between: last, and: nil)].compactMap(\.self)
    }

    /// A value of an attribute with which nothing is compared.
    private var simplest: ContextValue? {
        switch type {
        case .integer, .number, .bucket: .number(0)
        case .version: ContextVersion("1").map { .version($0) }
        case .date: .date(ContextDate(secondsSince1970: 0))
        case .localDate: .localDate(ContextLocalDate(secondsSince1970: 0))
        default: nil
        }
    }

    /// The simplest value between two others, or before or after one; nil if no value lies there.
    private func value(between lower: ContextValue?, and upper: ContextValue?) -> ContextValue? {
        switch (lower ?? upper, lower, upper) {
        case (.number, let lower, let upper):
            return number(between: lower?.doubleValue, and: upper?.doubleValue).map { .number($0) }
        case (.version, let lower, let upper):
            return Self.version(between: lower?.versionValue, and: upper?.versionValue).map { .version($0) }
        case (.date, let lower, let upper):
            return Self.seconds(between: lower?.seconds, and: upper?.seconds)
                .map { .date(ContextDate(secondsSince1970: $0)) }
        case (.localDate, let lower, let upper):
            return Self.seconds(between: lower?.seconds, and: upper?.seconds)
                .map { .localDate(ContextLocalDate(secondsSince1970: $0)) }
        default:
            return nil
        }
    }

    private func number(between lower: Double?, and upper: Double?) -> Double? {
        let (low, high): (Double, Double) =
            switch type {
            case .bucket: (-1, 100_000)
            case .integer: (-0x1p53 - 2, 0x1p53 + 2)
            default: (-.infinity, .infinity)
            }
        let (start, end) = (Swift.max(lower ?? low, low), Swift.min(upper ?? high, high))
        var candidates = lower == nil ? [0, end.rounded(.up) - 1] : [start.rounded(.down) + 1]
        if case .number = type {
            candidates += [lower == nil ? end.nextDown : start + (end - start) / 2, start.nextUp]
        }
        return candidates.first { start < $0 && $0 < end && $0.isFinite }
    }

    private static func version(between lower: ContextVersion?, and upper: ContextVersion?) -> ContextVersion? {
        let candidates: [ContextVersion] =
            if let lower { lower.simpleSuccessors + [lower.successor] } else {
                [upper?.simplePredecessor, .smallest].compactMap(\.self)
            }
        return candidates.first { candidate in
            (lower.map { $0 < candidate } ?? true) && (upper.map { candidate < $0 } ?? true)
        }
    }

    /// The times that four digits of a year can name.
    private static func seconds(between lower: Int64?, and upper: Int64?) -> Int64? {
        let candidate = lower.map { $0 + 1 } ?? upper.map { $0 - 1 } ?? 0
        guard (-62_167_219_200...253_402_300_799).contains(candidate), upper.map({ candidate < $0 }) ?? true else {
            return nil
        }
        return candidate
    }
}

extension ContextValue {
    fileprivate var doubleValue: Double? { if case .number(let value) = self { value } else { nil } }
    fileprivate var versionValue: ContextVersion? { if case .version(let value) = self { value } else { nil } }
    fileprivate var seconds: Int64? {
        switch self {
        case .date(let value): value.secondsSince1970
        case .localDate(let value): value.secondsSince1970
        default: nil
        }
    }
}

extension AttributeTest {
    /// Adds the values with which a test compares.
    fileprivate func collectLiterals(into literals: inout [ContextValue]) {
        switch self {
        case .oneOf(let values): literals += values
        case .within(let names): literals += names.map { .text($0) }
        case .ranges(let ranges):
            for range in ranges { literals += [range.lower?.value, range.upper?.value].compactMap(\.self) }
        case .no(let test): test.collectLiterals(into: &literals)
        case .any(let tests): for test in tests { test.collectLiterals(into: &literals) }
        case .has, .text, .missing, .present: break
        }
    }
}
