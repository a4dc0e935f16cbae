@testable import GlassSchema
import Testing

/// Remotely configurable keys, and sections in which some keys change.
struct RemoteKeyTests {
    struct Inner: ConfigurationSection {
        var pace = 1
        var host = "a"
        static let keys: [ConfigurationKey<Self>] = [
            .init("pace", \.pace, .integer(0...9), remote: true, "Pace."), .init("host", \.host, "Host."),
        ]
    }

    struct Outer: ConfigurationSection {
        var inner = Inner()
        var key: Secret?
        var limit: Int?
        static let keys: [ConfigurationKey<Self>] = [
            .init("inner", \.inner, "Inner."), .init("key", \.key, "Key."),
            .init("limit", \.limit, .integer(0...9), remote: true, "Limit."),
        ]
    }

    @Test func remoteKeysAreFoundInSections() {
        #expect(Outer.declaration.remoteKeys().map(\.description) == ["inner.pace", "limit"])
    }

    @Test func changeKeepsOtherKeys() throws {
        var outer = Outer()
        outer.inner.host = "b"
        outer.key = Secret(name: "K", value: "hidden")
        let changed = outer.changed(
            by: .map(values: ["inner": .map(values: ["pace": .integer(5)]), "limit": .integer(3)]))
        #expect(changed.inner.pace == 5 && changed.inner.host == "b" && changed.limit == 3)
        #expect(try changed.key?.reveal() == "hidden")
        #expect(outer.changed(by: .emptyTable) == outer)
    }

    @Test(
        arguments: [
            (["inner": .map(values: ["pace": .integer(2)])], []),
            (
                ["inner": .map(values: ["host": .string("c")])],
                ["inner.host: remote configuration cannot change this key"]
            ),
            (["inner": .integer(1)], ["inner: expected a table with keys such as pace and host, got 1"]),
            (["limit": .integer(10)], ["limit: expected an integer from 0 to 9, got 10"]),
            (["limt": .integer(1)], ["limt: unknown key"]),
        ] as [([String: ConfigurationValue], [String])])
    func changesAreValidatedByKey(changes: [String: ConfigurationValue], problems: [String]) {
        let findings = Outer.declaration.findings(
            inChanges: ConfigurationNode(.map(values: changes)), path: ConfigurationPath())
        for problem in problems {
            #expect(findings.contains { "\($0.path): \($0.message)" == problem }, "\(findings)")
        }
        #expect(findings.isEmpty == problems.isEmpty)
    }

    @Test func referenceMarksRemoteKeys() {
        let page = Outer.declaration.referencePage(title: "Keys", summary: "A test.")
        #expect(page.contains("| Limit. Remote configuration may change it. |"))
        #expect(page.contains("| Host. |"))
    }
}
