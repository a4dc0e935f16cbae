import GlassBase
@testable import GlassSchema
import Testing

struct ConfigurationValidatorTests {
    /// Strings compare by their composed forms: there, "f" comes before "é".
    @Test func entriesAreInTheOrderOfTheirBytes() {
        let keys = ["f", "e\u{301}", "B", "ez", "a", "é2", "_"]
        let entries = Dictionary(uniqueKeysWithValues: keys.map { ($0, ConfigurationNode(.string($0))) })
        #expect(entries.inOrder.map(\.key) == ["B", "_", "a", "ez", "e\u{301}", "f", "é2"])
        #expect(entries.inOrder.map(\.value.value.stringValue) == ["B", "_", "a", "ez", "e\u{301}", "f", "é2"])
    }

    @Test(
        arguments: [
            (
                "count", .string("3"), .wrongType,
                """
                m.lua:3:11: error: count: expected an integer from 0 to 10, got "3" [wrongType]
                  hint: remove the quotes: 3
                """
            ),
            (
                "count", .integer(11), .outOfRange,
                "m.lua:3:11: error: count: expected an integer from 0 to 10, got 11 [outOfRange]"
            ),
            (
                "count", .number(2.5), .wrongType,
                "m.lua:3:11: error: count: expected an integer from 0 to 10, got 2.5 [wrongType]"
            ),
            (
                "count", .number(1e300), .wrongType,
                "m.lua:3:11: error: count: expected an integer from 0 to 10, got 1e+300 [wrongType]"
            ),
            (
                "ratio", .integer(2), .outOfRange,
                "m.lua:3:11: error: ratio: expected a number from 0.0 to 1.0, got 2 [outOfRange]"
            ),
            (
                "ratio", .number(.nan), .outOfRange,
                "m.lua:3:11: error: ratio: expected a number from 0.0 to 1.0, got NaN [outOfRange]"
            ),
            (
                "flag", .integer(1), .wrongType,
                """
                m.lua:3:10: error: flag: expected true or false, got 1 [wrongType]
                  hint: write true
                """
            ),
            (
                "kind", .string("fance"), .invalidChoice,
                """
                m.lua:3:10: error: kind: expected one of "plain", "fancy", got "fance" [notAChoice]
                  hint: did you mean "fancy"?
                """
            ),
            (
                "token", .string("hunter2"), .secretMisplaced,
                """
                m.lua:3:11: error: token: expected a secret, written as secret "NAME", not a literal string [secretMisplaced]
                  hint: do not put secrets in market files: refer to them by name, and set them in the host's environment
                """
            ),
            (
                "kind", .secret(Secret(name: "K")), .secretMisplaced,
                """
                m.lua:3:10: error: kind: expected one of "plain", "fancy", got a secret [secretMisplaced]
                  hint: this key is shown in logs and dumps, so it cannot hold a secret
                """
            ),
            (
                "codes", .integer(500), .wrongType,
                """
                m.lua:3:11: error: codes: expected a list, each an integer from 400 to 599, got 500 [wrongType]
                  hint: wrap the value in a list: { 500 }
                """
            ),
            (
                "codes", .emptyTable, .outOfRange,
                "m.lua:3:11: error: codes: expected at least 1 element, got 0 [outOfRange]"
            ),
            (
                "codes", .list(values: [.integer(400), .integer(401), .integer(402), .integer(403)]), .outOfRange,
                "m.lua:3:11: error: codes: expected at most 3 elements, got 4 [outOfRange]"
            ),
            (
                "codes", .list(values: [.integer(500), .integer(500)]), .duplicate,
                "error: codes[2]: 500 is already element 1 of this list [duplicate]"
            ),
            (
                "codes", .list(values: [.integer(500), .integer(200)]), .outOfRange,
                "error: codes[2]: expected an integer from 400 to 599, got 200 [outOfRange]"
            ),
            (
                "limits", .map(values: ["a b": .integer(1)]), .invalidFormat,
                "error: limits[\"a b\"]: expected the key to be a name of letters and digits that starts with a letter, "
                    + "got \"a b\" [invalidFormat]"
            ),
            (
                "limits", .map(values: ["a": .integer(0)]), .outOfRange,
                "error: limits.a: expected an integer from 1 to 9, got 0 [outOfRange]"
            ),
            (
                "inner", .map(values: ["low": .integer(5)]), .inconsistent,
                """
                error: inner.low: 5 is more than high, 2 [inconsistent]
                  hint: swap them
                """
            ),
            (
                "inner", .map(values: ["lwo": .integer(5)]), .unknownKey,
                """
                error: inner.lwo: unknown key [unknownKey]
                  hint: did you mean "low"?
                """
            ),
            (
                "extra", .list(values: [.integer(1)]), .wrongType,
                "m.lua:3:11: error: extra: expected true, false, a number, or a string, got a list [wrongType]"
            ),
        ] as [(String, ConfigurationValue, FindingCode, String)])
    func invalidValueIsReported(key: String, value: ConfigurationValue, code: FindingCode, text: String) throws {
        let root = ConfigurationNode.file(["name": .string("x"), "\(key)": value])
        let findings = ConfigurationValidator.findings(in: root, section: TestSection.declaration)
        #expect(findings.map(\.description) == [text])
        #expect(findings.map(\.code) == [code])
    }

    /// Percentages, and lists with a type for each element, in a key of any section.
    @Test(arguments: [
        (ConfigurationValue.integer(100), FindingCode?.none, "", ""), (.number(2.125), nil, "", ""),
        (.number(2.0001), .invalidPercent, "2.0001 is too precise: the smallest step is", "write 2"),
        (.integer(-1), .invalidPercent, "expected a percentage from 0 to 100, got -1", ""),
        (.number(.infinity), .invalidPercent, "expected a percentage from 0 to 100, got infinity", ""),
        (
            .string("10 %"), .invalidPercent, "expected a percentage from 0 to 100, got \"10 %\"",
            "write 10, without quotes"
        ),
        (.list(values: [.string("a"), .integer(5)]), nil, "", ""),
        (
            .list(values: [.string("a"), .string("5")]), .invalidPercent, "expected a percentage",
            "write 5, without quotes"
        ),
        (
            .list(values: [.string("a")]), .wrongType,
            "expected a list of a variant and its percentage, got a list of 1", "write { \"control\", 50 }"
        ),
        (
            .list(values: [.integer(5), .string("a")]), .wrongType,
            "expected a list of a variant and its percentage, in this order", "write { \"control\", 50 }"
        ),
        (
            .directive(MergeDirective(.append([]))), .wrongType,
            "expected a list of a variant and its percentage, got", ""
        ),
        (
            .emptyTable, .wrongType, "expected a list of a variant and its percentage, got",
            "write { \"control\", 50 }"
        ),
    ])
    func percentagesAndRowsAreChecked(value: ConfigurationValue, code: FindingCode?, message: String, hint: String) {
        let row = ValueType.row([.string(.name(of: .variant)), .percent], called: "a variant and its percentage")
        let isNumber = ValueType.scalar.accepts(kindOf: value)
        let findings = ConfigurationValidator.findings(
            in: ConfigurationNode(value), type: isNumber ? .percent : row, path: "share")
        let (said, advised) = (findings.first?.message ?? "", findings.first?.hint ?? "")
        #expect(findings.first?.code == code && said.hasPrefix(message) && advised.hasPrefix(hint), "\(findings)")
        #expect(findings.count == (code == nil ? 0 : 1))
    }

    @Test func missingRequiredKeyIsReportedAtTable() {
        let findings = ConfigurationValidator.findings(
            in: .file(["count": .integer(1)]), section: TestSection.declaration)
        #expect(
            findings.map(\.description) == [
                """
                m.lua:1:8: error: name: missing: expected a non-empty string [missingKey]
                  hint: write name = "example",  -- A name.
                """
            ])
    }

    @Test func unknownKeyWithoutSuggestionListsKeys() {
        let root = ConfigurationNode.file(["name": .string("x"), "zzzzzzzz": .integer(1)])
        let findings = ConfigurationValidator.findings(in: root, section: TestSection.declaration)
        #expect(
            findings.map(\.description) == [
                """
                m.lua:3:3: error: zzzzzzzz: unknown key [unknownKey]
                  hint: available keys: flag, count, ratio, name, kind, token, codes, limits, inner, extra
                """
            ])
    }

    @Test func renamedKeyReportsNewNameAtKeyPosition() {
        let findings = ConfigurationValidator.findings(
            in: .file(["tries": .integer(2), "title": .string("x")]), section: RenamedSection.declaration)
        #expect(
            findings.map(\.description) == [
                """
                m.lua:2:3: error: tries: this key was renamed to retries [renamedKey]
                  hint: write retries
                """,
                """
                m.lua:3:3: error: title: this key was renamed to name [renamedKey]
                  hint: write name
                """,
            ])
        // `name` is required but not reported as missing, because only its name is wrong.
        #expect(findings.map(\.code) == [.renamedKey, .renamedKey])
    }

    @Test func formerNameIsReportedNextToCurrentName() {
        let findings = ConfigurationValidator.findings(
            in: .file(["name": .string("x"), "attempts": .integer(2), "retries": .integer(2)]),
            section: RenamedSection.declaration)
        #expect(findings.map { "\($0.path): \($0.message)" } == ["attempts: this key was renamed to retries"])
    }

    @Test func valueUnderFormerNameIsValidated() {
        let findings = ConfigurationValidator.findings(
            in: .file(["name": .string("x"), "tries": .integer(11)]), section: RenamedSection.declaration)
        #expect(
            findings.map { "\($0.path): \($0.message)" } == [
                "tries: this key was renamed to retries", "tries: expected an integer from 0 to 10, got 11",
            ])
    }

    @Test func formerNameInListOrMapIsReported() {
        let entry = ConfigurationNode(.map(values: ["name": .string("x"), "tries": .integer(1)]))
        for (type, path) in [
            (ValueType.list(of: RenamedSection.valueType), "p[1].tries"),
            (.map(of: RenamedSection.valueType, keys: .identifier), "p.a.tries"),
        ] {
            let value: ConfigurationValue = if case .map = type { .map(["a": entry]) } else { .list([entry]) }
            let findings = ConfigurationValidator.findings(in: ConfigurationNode(value), type: type, path: "p")
            #expect(findings.map { "\($0.path)" } == [path])
            #expect(findings.map(\.code) == [.renamedKey])
        }
    }

    @Test func findingsAreSortedByPosition() {
        let root = ConfigurationNode.file([
            "ratio": .integer(7), "coutn": .integer(1), "flag": .string("yes"), "codes": .string("500"),
        ])
        let findings = ConfigurationValidator.findings(in: root, section: TestSection.declaration)
        #expect(findings.map(\.path.description) == ["name", "ratio", "coutn", "flag", "codes"])
    }

    @Test func validSectionHasNoFindings() {
        let root = ConfigurationNode.file([
            "name": .string("x"), "count": .number(3), "ratio": .integer(1), "token": .secret(Secret(name: "T")),
            "extra": .boolean(true), "limits": .emptyTable,
        ])
        #expect(ConfigurationValidator.findings(in: root, section: TestSection.declaration).isEmpty)
    }

    @Test func duplicateFindingIsReportedOnce() {
        let finding = Finding(.runtime, at: nil, "once")
        #expect([finding, finding].sortedByPosition() == [finding])
    }

    @Test func elementsOfOverlongListAreNotValidated() {
        let list = ConfigurationNode(.list(values: (0..<50).map { _ in .string("same") }))
        let findings = ConfigurationValidator.findings(
            in: list, type: .set(of: .integer(0...1), count: 0...10), path: "l")
        #expect(findings.map(\.description) == ["error: l: expected at most 10 elements, got 50 [outOfRange]"])
    }

    @Test func tableWithTooManyKeysIsReported() {
        let map = ConfigurationNode(.map(values: ["a": .integer(1), "b": .integer(2), "C-": .integer(3)]))
        let type = ValueType.map(of: .boolean, keys: .identifier, count: 0...2)
        let findings = ConfigurationValidator.findings(in: map, type: type, path: "m")
        #expect(findings.map(\.description) == ["error: m: expected at most 2 keys, got 3 [outOfRange]"])
    }

    /// Checking for duplicates takes as many steps as the list has elements, and reports each duplicate.
    @Test func duplicatesAreFoundInLinearTime() throws {
        func work(_ count: Int) throws -> Int {
            let budget = WorkBudget(cpuTime: .seconds(600))
            let findings = FindingList()
            let values = (0..<count).map { ConfigurationValue.string("x\($0 % (count - 3))") }
            try ConfigurationValidator.validate(
                ConfigurationNode(.list(values: values)), as: .set(of: .string(.any)), into: findings,
                budget: budget)
            #expect(findings.count == 3)
            return budget.steps(of: .validating)
        }
        let work = try [1000, 2000, 4000].map(work)
        #expect(work[1] <= work[0] * 5 / 2 && work[2] <= work[1] * 5 / 2, "\(work)")
    }
}
