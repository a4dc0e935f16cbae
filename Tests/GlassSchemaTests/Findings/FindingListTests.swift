import GlassBase
import Testing

@testable import GlassSchema

@Suite struct FindingListTests {
    private func place(_ line: Int, in file: String = "a.lua") -> SourcePosition {
        SourcePosition(file: file, line: line, column: 1)
    }

    @Test func onlyFirstHundredFindingsPerFileAreListed() throws {
        let list = FindingList()
        var texts = 0
        func text(_ line: Int) -> String {
            texts += 1
            return "message \(line)"
        }
        for line in 1...7000 { try list.add(.unknownKey, at: place(line), text(line)) }
        for line in 1...3 { try list.add(.unknownKey, at: place(line, in: "b.lua"), text(line)) }
        let findings = list.sorted()
        #expect(texts == 103)
        #expect(findings.count == 104)
        #expect(
            findings[100].description
                == """
                a.lua:100:1: error: and 6,900 more in this file [more]
                  hint: fix these first
                """)
        #expect(findings[100].code == .omittedFindings)
        #expect(findings[101].position == place(1, in: "b.lua"))
        #expect(findings.sortedByPosition() == findings)
    }

    @Test func warningsDoNotHideErrors() throws {
        let list = FindingList()
        for line in 1...150 { try list.add(.secretUnset, severity: .warning, at: place(line), "w") }
        for line in 200..<230 { try list.add(.wrongType, at: place(line), "e") }
        #expect(list.hasErrors)
        let findings = list.sorted()
        #expect(findings.count { $0.severity == .error } == 30)
        #expect(findings.count == 101)
        #expect(findings.last?.message == "and 80 more in this file")
        #expect(findings.last?.severity == .warning)
    }

    @Test func omittedErrorsCountAsErrors() throws {
        let list = FindingList()
        for line in 1...100 { try list.add(.wrongType, at: place(line), "e") }
        list.count(5, severity: .error, in: "a.lua")
        #expect(list.hasErrors)
        #expect(list.sorted().last?.message == "and 5 more in this file")
        #expect(list.sorted().last?.severity == .error)
    }

    @Test func suppressedFindingsAreOmitted() throws {
        let list = FindingList()
        try list.add(.unrepresentable, at: place(1), path: "a.b", "first")
        list.leaveOut([.missingKey])
        try list.add(.wrongType, at: place(1), path: "a.b", "second")
        try list.add(.missingKey, at: place(1), path: "a.c", "third")
        try list.add(.wrongType, at: place(1), path: "a.d", "fourth")
        #expect(list.count == 4)
        list.endSuppression()
        try list.add(.wrongType, at: place(1), path: "a.b", "fifth")
        #expect(list.sorted().map(\.message) == ["fifth", "first", "fourth"])
    }

    @Test func textOfFindingIsLimitedToKilobyte() {
        let finding = Finding(
            .wrongType, at: nil, path: ConfigurationPath([.key(String(repeating: "k", count: 5000))]),
            String(repeating: "é", count: 5000), hint: String(repeating: "h", count: 5000))
        #expect(finding.message.utf8.count == 767)
        #expect(finding.message.hasSuffix("é…"))
        #expect(finding.message.utf8.count + (finding.hint?.utf8.count ?? 0) <= Finding.maximumTextLength)
        #expect(finding.description.utf8.count < 1400)
        #expect(Finding(.wrongType, at: nil, "short", hint: "hint").hint == "hint")
    }
}
