@testable import GlassSchema
import Testing

struct ConfigurationSectionTests {
    @Test func keysAndPropertiesCorrespond() {
        #expect(
            TestSection.keys.map(\.declaration.name) == Mirror(reflecting: TestSection()).children.compactMap(\.label))
    }

    @Test func decodingAppliesValuesAndKeepsDefaults() {
        let section = TestSection(
            validated: .map(values: [
                "flag": .boolean(true), "count": .number(7), "ratio": .integer(1), "name": .string("x"),
                "kind": .string("fancy"), "token": .secret(Secret(name: "T")), "codes": .list(values: [.integer(404)]),
                "limits": .map(values: ["a": .integer(2)]), "inner": .map(values: ["high": .integer(9)]),
                "extra": .string("y"),
            ]))
        var expected = TestSection()
        expected.flag = true
        expected.count = 7
        expected.ratio = 1
        expected.name = "x"
        expected.kind = .fancy
        expected.token = Secret(name: "T")
        expected.codes = [404]
        expected.limits = ["a": 2]
        expected.inner.high = 9
        expected.extra = .string("y")
        #expect(section == expected)
        #expect(section.inner.low == 1)
    }

    @Test func sectionRoundTrips() {
        var section = TestSection()
        section.name = "x"
        section.codes = [404, 410]
        section.extra = .integer(4)
        #expect(TestSection(validated: section.configurationValue) == section)
    }

    @Test func defaultIsReadFromStructureAndRequiredKeyHasNone() {
        let declaration = TestSection.declaration
        #expect(declaration.key("count")?.defaultValue == .integer(3))
        #expect(declaration.key("name")?.defaultValue == nil)
        #expect(declaration.key("name")?.isRequired == true)
        #expect(declaration.key("token")?.defaultValue == nil)
        #expect(declaration.key("extra")?.appliesOn == .apple)
        #expect(declaration.key("cuont") == nil)
    }

    @Test(
        arguments: [
            ("count", "A count."), ("inner.low", "The lower end."), ("codes[2]", "Some codes."),
            ("limits.a", "Limits by name."),
            ("inner.lwo", nil), ("count.x", nil), ("", nil),
        ] as [(ConfigurationPath, String?)])
    func pathResolvesToGoverningDeclaration(path: ConfigurationPath, documentation: String?) {
        #expect(TestSection.declaration.key(at: path)?.documentation == documentation)
    }

    @Test(
        arguments: [
            ("tries", "retries"), ("attempts", "retries"), ("inner.title", "name"), ("list[2].title", "name"),
            ("retries", nil), ("inner", nil), ("tries.x", nil), ("list[2]", nil), ("", nil),
        ] as [(ConfigurationPath, String?)])
    func formerPathResolvesToKey(path: ConfigurationPath, name: String?) {
        #expect(RenamedSection.declaration.key(formerlyAt: path)?.name == name)
        #expect(RenamedSection.declaration.key(at: path) == nil || name == nil)
    }

    @Test func referenceOmitsFormerNames() {
        let page = RenamedSection.declaration.referencePage(title: "Renamed", summary: "A test.")
        #expect(page.contains("| `retries` |") && !page.contains("`tries`"))
    }

    @Test func formerNameThatIsAKeyTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TakenName.declaration
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("TakenName: low, a former name of high, is a key; fix the key's declaration"))
    }

    @Test func formerNameOfTwoKeysTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SharedName.declaration
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("SharedName: the former name limit appears twice; fix the key's declaration"))
    }

    @Test func duplicateFormerNameTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = DoubledName.declaration
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("DoubledName: the former name limit appears twice; fix the key's declaration"))
    }

    @Test func ruleThatReadsUnknownKeyTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = MisspelledRule.declaration
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains("MisspelledRule: a rule reads inner.hihg, which is not a key; fix the rule's declaration"))
    }

    @Test func contradictionsOfOneKeyAreNumberedAcrossRules() throws {
        let declaration = DoublyWrong.declaration
        #expect(declaration.rules.map(\.reads) == [["low", "high"], ["low", "highest"]])
        let node = ConfigurationNode.file(["low": .integer(5), "high": .integer(2), "highest": .integer(3)])
        let findings = SectionRule.check(declaration.rules, node, "a")
        #expect(
            findings.map { "\($0.path) \($0.subject) \($0.message)" } == [
                "a.low  more than high", "a.low 2 more than highest",
            ])
        #expect(findings.map(\.position?.line) == [2, 2])
        #expect(findings.map { $0.related.map(\.position.line) } == [[3], [4]])
        #expect(declaration.rules.map { $0.check(node, "a").map(\.subject) } == [[""], [""]])
    }

    @Test func keyOfWrongTypeForPropertyTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Bool(validated: .integer(1))
        }
    }
}
