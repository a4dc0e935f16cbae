import GlassBase
import Testing

@testable import GlassSchema

/// The generator of these tests, so that each run examines the same input.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ConditionSpaceTests {
    // MARK: - Brute force

    /// 10,000 small markets: what the search says about their lists is what going through all situations says.
    @Test func searchAgreesWithBruteForce() {
        var random = SplitMix(state: 39)
        for round in 0..<10_000 {
            let counts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 2...3, using: &random) }
            let space = ConditionSpace(classCounts: counts)
            // Each alternative as boxes and, next to it, as the bits of the situations that it holds in.
            var (alternatives, bits) = ([[ConditionBox]](), [UInt64]())
            let situations = counts.reduce(1, *)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                var (boxes, held) = ([ConditionBox](), UInt64(0))
                for _ in 0..<Int.random(in: 1...2, using: &random) {
                    var box = ConditionBox.everything
                    var allowed = counts.map { (1 << $0) - 1 }
                    for (dimension, count) in counts.enumerated() where Bool.random(using: &random) {
                        allowed[dimension] = Int.random(in: 1..<1 << count, using: &random)
                        let mask = ClassMask((0..<count).filter { allowed[dimension] >> $0 & 1 == 1 })
                        box = box.replacing(dimension, with: mask, isAll: mask == space.classes(of: dimension))
                    }
                    boxes.append(box)
                    for situation in 0..<situations {
                        var rest = situation
                        let isIn = counts.indices.allSatisfy { dimension in
                            defer { rest /= counts[dimension] }
                            return allowed[dimension] >> (rest % counts[dimension]) & 1 == 1
                        }
                        if isIn { held |= 1 << UInt64(situation) }
                    }
                }
                alternatives.append(boxes)
                bits.append(held)
            }
            let list = DecisionList(alternatives, in: space)
            var taken: UInt64 = 0
            for (index, held) in bits.enumerated() {
                #expect((list.witness(of: index) != .none) == (held & ~taken != 0), "round \(round), \(index)")
                taken |= held
                for other in 0..<index {
                    #expect((list.overlap(of: other, and: index) != nil) == (bits[other] & held != 0), "round \(round)")
                    #expect(list.covers(other, index) == (held & ~bits[other] == 0), "round \(round)")
                }
            }
            #expect((list.gap == .none) == (taken == (1 << UInt64(situations)) - 1), "round \(round)")
        }
    }

    /// The values that random conditions and situations use.
    private static let pools: [(attribute: ContextAttribute, values: [ContextValue])] = [
        (
            ContextAttribute(
                "build", .choice(["debug", "beta", "release"]), pace: .build, defaultValue: .text("release")),
            ["debug", "beta", "release"].map { .text($0) }
        ),
        (
            ContextAttribute("version", .version, pace: .build),
            ["24.3", "24.3.0.1", "24.3-beta", "24.4", "0-0", "25"].compactMap {
                ContextVersion($0).map { .version($0) }
            }
        ),
        (ContextAttribute("count", .integer, pace: .live), [0, 1, 2, 3, 10, -5].map { .number($0) }),
        (ContextAttribute("score", .number, pace: .live), [0, 0.5, 1, 1.5, -2].map { .number($0) }),
        (
            ContextAttribute("date", .date, pace: .live, isAlwaysPresent: true),
            [0, 1, 2, 100].map { .date(ContextDate(secondsSince1970: $0)) }
        ),
        (ContextAttribute("text", .text, pace: .live), ["", "a", "ab", "Ab", "bab", "b", "axb"].map { .text($0) }),
        (ContextAttribute("region", .region, pace: .live), ["CA", "CA-QC", "CA-ON", "US", "MX"].map { .text($0) }),
        (
            ContextAttribute("locale", .locale(["en-CA", "fr-CA", "fr-FR"]), pace: .live, isAlwaysPresent: true),
            ["en-CA", "fr-CA", "fr-FR"].map { .text($0) }
        ),
        (
            ContextAttribute("audience", .set(nil), pace: .live),
            [[], ["a"], ["b"], ["a", "b"], ["c"], ["a", "c"]].map { .set($0) }
        ),
        (ContextAttribute("signedIn", .boolean, pace: .live), [.boolean(true), .boolean(false)]),
    ]

    private static func test(of attribute: ContextAttribute, _ values: [ContextValue], _ random: inout SplitMix)
        -> AttributeTest
    {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .missing
        case 1: return .present
        case 2: return .no(test(of: attribute, values, &random))
        case 3: return .any([test(of: attribute, values, &random), test(of: attribute, values, &random)])
        default: break
        }
        let chosen = (0..<Int.random(in: 1...2, using: &random)).compactMap { _ in values.randomElement(using: &random)
        }
        let texts = chosen.compactMap { if case .text(let text) = $0 { text } else { nil } }
        switch attribute.type {
        case .set: return .has(["a", "b", "c"].filter { _ in Bool.random(using: &random) })
        case .locale: return .within(Bool.random(using: &random) ? texts : texts.map { String($0.prefix(2)) })
        case .region: return .within(texts)
        case .text where Bool.random(using: &random):
            let place = TextTest.Place.allCases.randomElement(using: &random) ?? .prefix
            return .text(TextTest(place, texts, anyCase: Bool.random(using: &random)))
        case .integer, .number, .version, .date:
            if Bool.random(using: &random) { return .oneOf(chosen) }
            func bound() -> ContextRange.Bound? {
                guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
                return values.randomElement(using: &random)
                    .map { ContextRange.Bound($0, isInclusive: Bool.random(using: &random)) }
            }
            let (lower, upper) = (bound(), bound())
            return lower == nil && upper == nil ? .oneOf(chosen) : .ranges([ContextRange(lower: lower, upper: upper)])
        default: return .oneOf(chosen)
        }
    }

    private static func condition(_ depth: Int, _ random: inout SplitMix) -> Condition {
        if depth == 0 || Int.random(in: 0..<3, using: &random) == 0 {
            guard let (attribute, values) = pools.randomElement(using: &random) else { return .always }
            return .test(attribute.name, test(of: attribute, values, &random))
        }
        let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in condition(depth - 1, &random) }
        switch Int.random(in: 0..<7, using: &random) {
        case 0: return .always
        case 1: return .never
        case 2: return .no(condition(depth - 1, &random))
        case 3, 4: return .any(parts)
        default: return .all(parts)
        }
    }

    /// A random condition holds in a random situation exactly if one of its boxes contains it, its data form is read
    /// back as an equal condition, and the situation of each of its boxes fulfills it.
    @Test func boxesAndDataFormMeanTheCondition() throws {
        var random = SplitMix(state: 2026)
        let attributes = Self.pools.map(\.attribute)
        var (examined, witnesses) = (0, 0)
        for round in 0..<1500 {
            let written = Self.condition(2, &random)
            let condition = written.canonical
            #expect(condition.canonical == condition, "round \(round): \(written)")
            let (copy, findings) = try read(condition.dataForm, attributes)
            #expect(copy == condition, "round \(round): \(condition) \(findings)")
            let space = try ConditionSpace(attributes: attributes, conditions: [condition])
            guard let boxes = try? space.boxes(of: condition),
                let others = try? space.boxes(of: .negating(condition))
            else { continue }  // too many boxes, which has a test of its own
            examined += 1
            for _ in 0..<12 {
                var context = MarketContext()
                for (attribute, values) in Self.pools
                where attribute.isAlwaysPresent || Int.random(in: 0..<4, using: &random) > 0 {
                    context[attribute.name] = values.randomElement(using: &random)
                }
                let holds = written.holds(in: context)
                #expect(condition.holds(in: context) == holds, "round \(round): \(written) in \(context)")
                #expect(
                    boxes.contains { space.contains(context, in: $0) } == holds, "\(round): \(condition) in \(context)")
                #expect(
                    others.contains { space.contains(context, in: $0) } != holds, "\(round): \(condition) in \(context)"
                )
            }
            for box in boxes {
                witnesses += 1
                var context = space.context(in: box)
                // Any value will do for an attribute that the box does not restrict.
                for (attribute, values) in Self.pools where attribute.isAlwaysPresent {
                    context[attribute.name] = context[attribute.name] ?? values.randomElement(using: &random)
                }
                #expect(condition.holds(in: context), "round \(round): \(condition) in \(context)")
            }
        }
        #expect(examined > 1000 && witnesses > 1000)
    }

    /// The classes of texts are all combinations of results that a text has.
    @Test func textClassesAreComplete() throws {
        var random = SplitMix(state: 7)
        let alphabet = Array("abABx".utf8)
        var texts: [[UInt8]] = [[]]
        var last = texts
        for _ in 0..<4 {
            last = last.flatMap { text in alphabet.map { text + [$0] } }
            texts += last
        }
        for round in 0..<60 {
            let atoms = (0..<Int.random(in: 1...4, using: &random)).map { _ -> TextAtom in
                let text = String(
                    decoding: (0..<Int.random(in: 0...2, using: &random)).map { _ in
                        alphabet[Int.random(in: 0..<4, using: &random)]
                    }, as: UTF8.self)
                let place = TextTest.Place.allCases.randomElement(using: &random)
                return Int.random(in: 0..<5, using: &random) == 0
                    ? TextAtom(whole: text)
                    : TextAtom(place ?? .prefix, text, anyCase: Bool.random(using: &random))
            }
            let found = try #require(TextClasses(atoms).texts())
            let results = found.map { text in atoms.map { $0.passes(Array(text.utf8)) } }
            #expect(Set(results).count == found.count, "round \(round)")
            for text in texts {
                #expect(results.contains(atoms.map { $0.passes(text) }), "round \(round): \(atoms) \(text)")
            }
        }
    }

    // MARK: - Witnesses

    private func space(_ conditions: Condition...) throws -> ConditionSpace {
        try ConditionSpace(attributes: ConditionReaderTests.attributes, conditions: conditions)
    }

    private func condition(_ data: [String: ConfigurationValue]) throws -> Condition {
        try #require(try read(.map(values: data), ConditionReaderTests.attributes).condition)
    }

    @Test(
        arguments: [
            (["build": .string("debug")], "build = \"debug\""),
            (["build": .map(values: ["no": .string("debug")])], "build = \"release\""),
            (["appVersion": .string(">= 24.4")], "appVersion = 24.4"),
            (["appVersion": .string("> 24.4 < 25")], "appVersion = 24.5"),
            (["appVersion": .string("> 24.4 < 24.4.1")], "appVersion = 24.4.0.1"),
            (["appVersion": .string("< 24.4")], "appVersion = 24.3"),
            (["appVersion": .string("< 24")], "appVersion = 23"),
            (["osVersion": .map(values: ["no": .string(">= 18.2")])], ""),
            (["email": .map(values: ["suffix": .string("@example.com")])], "email = \"y@example.com\""),
            (["email": .map(values: ["contains": .string("A"), "anyCase": .boolean(true)])], "email = \"xax\""),
            (["region": .map(values: ["no": .string("US")])], "region = \"AD\""),
            (["region": .string("CA-QC")], "region = \"CA-QC\""),
            (["locale": .string("fr")], "locale = \"fr-CA\""),
            (["audience": .list(values: [.string("a"), .string("b")])], "audience = \"a\""),
            (["date": .string("< 2026-11-27T00:00:00Z")], "date = 2026-11-26T23:59:59Z"),
            (["storeNumber": .string("> 7")], "storeNumber = 8"),
            (["score": .string("> 7 < 7.5")], "score = 7.25"),
            (["customerID": .map(values: ["is": .string("present")])], "customerID = \"x\""),
        ] as [([String: ConfigurationValue], String)])
    func witnessIsSimple(data: [String: ConfigurationValue], expected: String) throws {
        let condition = try condition(data)
        let space = try space(condition)
        let box = try #require(try space.boxes(of: condition).first)
        #expect(space.context(in: box).description == expected)
        #expect(expected.isEmpty || condition.holds(in: space.context(in: box)))
    }

    @Test(
        arguments: [
            ["osVersion": .string(">= 19 < 18")], ["locale": .string("es")], ["storeNumber": .string("> 3 < 4")],
            ["build": .list(values: [])], ["build": .map(values: ["is": .string("missing")])],
            ["appVersion": .string("> 24.3 < 24.3.0.1-0")], ["osVersion": .string("< 0-0")],
            ["date": .string("> 2026-11-27T00:00:00Z < 2026-11-27T00:00:01Z")],
            [
                "all": .list(values: [
                    .map(values: ["audience": .string("a")]),
                    .map(values: ["audience": .map(values: ["no": .string("a")])]),
                ])
            ],
            ["all": .list(values: [.map(values: ["region": .string("US")]), .map(values: ["region": .string("CA")])])],
        ] as [[String: ConfigurationValue]])
    func impossibleConditionHasNoBox(data: [String: ConfigurationValue]) throws {
        let condition = try condition(data)
        #expect(try space(condition).boxes(of: condition).isEmpty)
    }

    @Test func listsOfConditionsAreJudged() throws {
        let (debug, beta) = (try condition(["build": .string("debug")]), try condition(["build": .string("beta")]))
        let release = try condition(["build": .string("release")])
        let tablet = try condition(["deviceClass": .string("tablet")])
        let space = try space(debug, beta, release, tablet)
        let list = try DecisionList([debug, tablet, beta, .allOf([debug, tablet])], in: space)
        guard case .found(let box) = list.gap else { throw ConditionLimit.steps }
        #expect(space.context(in: box).description == "build = \"release\", deviceClass = \"phone\"")
        #expect(list.witness(of: 3) == .none)
        #expect(list.overlaps.map { [$0.first, $0.second] } == [[0, 1], [0, 3], [1, 2], [1, 3]])
        #expect(list.covers(0, 3) == true)
        #expect(list.covers(0, 1) == false)
        #expect(try DecisionList([debug, beta, release], in: space).gap == .none)
        #expect(try space.boxes(of: .anyOf([debug, beta])).count == 1)
        #expect(try space.boxes(of: .anyOf([debug, beta, release])) == [.everything])
    }

    /// A bucket is an ordered attribute, so shares of one salt that follow each other are disjoint and complete.
    @Test func bucketsAreOrderedAttributes() throws {
        let bucket = ContextAttribute("bucket:search:installID", .bucket, pace: .start)
        let attributes = ConditionReaderTests.attributes + [bucket]
        let shares = [(0, 10_000), (10_000, 40_000), (40_000, 100_000), (99_999, 100_000)]
        let conditions = shares.map { low, high in
            Condition.test(
                bucket.name,
                .ranges([
                    ContextRange(
                        lower: .init(.number(Double(low)), isInclusive: true),
                        upper: .init(.number(Double(high)), isInclusive: false))
                ]))
        }
        let space = try ConditionSpace(attributes: attributes, conditions: conditions)
        let list = try DecisionList(conditions, in: space)
        #expect(list.witness(of: 3) == .none)
        #expect(list.overlaps.map { [$0.first, $0.second] } == [[2, 3]])
        guard case .found(let box) = list.gap else { throw ConditionLimit.steps }
        #expect(space.context(in: box) == MarketContext())  // without a unit, there is no bucket
        var present = bucket
        present.isAlwaysPresent = true
        let whole = try ConditionSpace(attributes: [present], conditions: conditions)
        #expect(try DecisionList(conditions, in: whole).gap == .none)
        #expect(whole.classCount(of: bucket.name) == 4)
        #expect(throws: ContextValueError.self) { try bucket.value(from: "100000", zones: .utc) }
    }

    // MARK: - Limits

    @Test func limitsAreNamed() throws {
        func limit(_ conditions: [Condition], _ body: (ConditionSpace) throws -> Void = { _ in }) -> String? {
            let attributes = (0..<70).map { ContextAttribute("a\($0)", .boolean, pace: .live) }
            do {
                try body(
                    try ConditionSpace(attributes: ConditionReaderTests.attributes + attributes, conditions: conditions)
                )
                return nil
            } catch {
                return "\(error)"
            }
        }
        let flags = (0..<70).map { Condition.test("a\($0)", .oneOf([.boolean(true)])) }
        #expect(limit(Array(flags.prefix(64))) == nil)
        #expect(limit(flags) == "the conditions test more than 64 attributes")
        let numbers = (0..<256).map { Condition.test("storeNumber", .oneOf([.number(Double($0))])) }
        #expect(limit(Array(numbers.prefix(254))) == nil)
        #expect(limit(numbers) == "the conditions distinguish more than 256 values of storeNumber")
        let texts = "abcdefghi".map { Condition.test("email", .text(TextTest(.contains, [String($0)]))) }
        #expect(limit(Array(texts.prefix(7))) == nil)
        #expect(limit(texts) == "the conditions distinguish more than 256 values of email")
        let names = (0..<65).map { Condition.test("audience", .has(["n\($0)"])) }
        #expect(limit(Array(names.prefix(64))) == nil)
        #expect(limit(names) == "the conditions name more than 64 elements of audience")
        #expect(
            limit(Array(flags.prefix(17))) { _ = try $0.boxes(of: .allOf(Array(flags.prefix(17)))) }
                == "the condition tests more than 16 attributes at once")
        #expect(limit(Array(flags.prefix(16))) { _ = try $0.boxes(of: .anyOf(Array(flags.prefix(16)))) } == nil)
        #expect(
            limit(Array(flags.prefix(17))) { _ = try $0.boxes(of: .anyOf(Array(flags.prefix(17)))) }
                == "the condition has more than 16 alternatives")
        let pairs = (0..<10).map { Condition.anyOf([flags[2 * $0], flags[2 * $0 + 1]]) }
        #expect(
            limit(pairs) { _ = try $0.boxes(of: .allOf(pairs)) }
                == "the conditions combine to more than 512 alternatives")
    }

    /// A piece of 200 letters in any case that must avoid sixteen spellings takes many states to spell.
    @Test func workIsCharged() throws {
        var random = SplitMix(state: 3)
        let piece = String(repeating: "a", count: 200)
        let wanted = Condition.test("email", .text(TextTest(.contains, [piece], anyCase: true)))
        let unwanted = (0..<6).map { _ in
            let spelling = (0..<8).map { _ in Bool.random(using: &random) ? "a" : "A" }.joined()
            return Condition.test("email", .text(TextTest(.contains, [spelling])))
        }
        let budget = WorkBudget(work: [.proving: 10_000])
        let error = #expect(throws: ConditionLimit.self) {
            try ConditionSpace(
                attributes: ConditionReaderTests.attributes, conditions: [wanted] + unwanted, budget: budget)
        }
        #expect(error.map { "\($0)" } == "checking every situation takes more than 10,000 steps")
        // What is asked after that is not answered.
        let space = ConditionSpace(classCounts: [2], budget: budget)
        #expect(space.witness(in: [.everything], outside: []) == .gaveUp)
    }

    /// The same market prints the same witness in every run: classes have the order of the conditions.
    @Test func classesHaveTheOrderOfTheConditions() throws {
        let parts = ["ann", "bob", "cy"].map { Condition.test("email", .text(TextTest(.contains, [$0]))) }
        let space = try ConditionSpace(attributes: ConditionReaderTests.attributes, conditions: parts)
        let texts = try parts.map { part in
            try space.boxes(of: part).map { space.context(in: $0).description }
        }
        #expect(texts == [["email = \"xannx\""], ["email = \"xbobx\""], ["email = \"xcyx\""]])
    }

    @Test func situationsAreLimited() {
        let space = ConditionSpace(classCounts: Array(repeating: 2, count: 13))
        let lists = (0..<13).map { index in
            DecisionList([[ConditionBox.everything.replacing(index, with: ClassMask([0]), isAll: false)]], in: space)
        }
        var count = 0
        #expect(space.forEachSituation(of: Array(lists.prefix(12))) { _, _ in count += 1 } == nil)
        #expect(count == 4096)
        #expect(space.forEachSituation(of: lists) { _, _ in } == .situations)
    }

    // MARK: - Hard questions

    /// 170 conditions of three yes/no attributes among 40: as many that about half of such lists leave a gap.
    @Test(arguments: 0..<6) func hardListIsAnswered(seed: UInt64) {
        var random = SplitMix(state: seed)
        let space = ConditionSpace(classCounts: Array(repeating: 2, count: 40))
        let holes = (0..<170).map { _ in
            var box = ConditionBox.everything
            while box.sides.count < 3 {
                let side = Int.random(in: 0..<40, using: &random)
                box = box.replacing(side, with: ClassMask([Int.random(in: 0...1, using: &random)]), isAll: false)
            }
            return box
        }
        var steps = ConditionLimit.maximumSteps
        switch space.witness(in: .everything, outside: holes, steps: &steps) {
        case .found(let box): #expect(!holes.contains { $0.meets(box) })
        case .none: break
        case .gaveUp: Issue.record("seed \(seed) takes more than \(ConditionLimit.maximumSteps) steps")
        }
    }

    /// That nine pigeons do not fit into eight holes takes a number of steps that grows exponentially.
    @Test func searchGivesUp() {
        let space = ConditionSpace(classCounts: Array(repeating: 2, count: 72))
        func box(_ sides: [(Int, Int)]) -> ConditionBox {
            sides.reduce(ConditionBox.everything) { $0.replacing($1.0, with: ClassMask([$1.1]), isAll: false) }
        }
        var holes = (0..<9).map { pigeon in box((0..<8).map { (pigeon * 8 + $0, 0) }) }
        for hole in 0..<8 {
            for first in 0..<9 {
                for second in 0..<first { holes.append(box([(first * 8 + hole, 1), (second * 8 + hole, 1)])) }
            }
        }
        #expect(space.witness(in: [.everything], outside: holes, steps: 500) == .gaveUp)
    }
}
