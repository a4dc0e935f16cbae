import GlassBase
@testable import GlassDelivery
import Testing

@Suite struct DelegationTests {
    private let key: SampleKey

    init() throws { key = try SampleKey("root") }

    /// A role in a test: its files and its delegations.
    private struct Role {
        var name: String
        var files: [String: String] = [:]
        var delegations: [StrictJSON] = []
    }

    private func to(_ name: String, _ paths: [String] = ["*"], isTerminating: Bool = false) -> StrictJSON {
        SampleRepository.delegation(name, key, paths: paths, isTerminating: isTerminating)
    }

    /// Refreshes from a server with these roles, and returns the length of the file and the roles that were visited.
    private func look(for path: String, in roles: [Role]) async throws -> (
        length: Int?, asked: [String], RefreshOutcome
    ) {
        let server = MemoryServer()
        let names = roles.map(\.name)
        let timestamp = try SampleRepository.timestamp(by: [key])
        let snapshot = try SampleRepository.snapshot(roles: names, by: key)
        let targets = try roles.map {
            try SampleRepository.targets($0.files, delegations: $0.delegations, keys: [key], by: key)
        }
        server.contents.withLock {
            $0.files["timestamp.json"] = timestamp
            $0.files["1.snapshot.json"] = snapshot
            for (name, bytes) in zip(names, targets) { $0.files["1.\(TrustedSet.fileName(of: name))"] = bytes }
        }
        let client = UpdateClient(metadata: server.folder(""), files: server.folder("files/"))
        let trusted = try TrustedSet(root: SampleRepository.root(key: key))
        let outcome = await client.refresh(from: trusted, now: SampleRepository.now, lookingFor: [path])
        let asked = server.contents.withLock { $0.requests }.dropFirst(4).map { String($0) }
        return (outcome.files[path]?.length, asked, outcome)
    }

    @Test func rolesAreVisitedInPreorder() async throws {
        let roles = [
            Role(name: "targets", delegations: [to("a"), to("b")]), Role(name: "a", delegations: [to("a1"), to("a2")]),
            Role(name: "a1"), Role(name: "a2"), Role(name: "b", files: ["x": "from b"]),
        ]
        let (length, asked, outcome) = try await look(for: "x", in: roles)
        #expect(length == 6)
        #expect(asked == ["1.a.json", "1.a1.json", "1.a2.json", "1.b.json"])
        #expect(outcome.trusted.target("x") == outcome.files["x"])
        #expect(outcome.trusted.targetFiles.map(\.path) == ["x"])
        // Roles that no search reaches are not stored.
        #expect(outcome.roles == ["a", "a1", "a2", "b"])
        #expect(
            outcome.trusted.received(keeping: ["b"]).keys.sorted() == [
                "b.json", "root.json", "snapshot.json", "targets.json", "timestamp.json",
            ])
    }

    @Test func firstRoleListingPathWins() async throws {
        let roles = [
            Role(name: "targets", delegations: [to("a"), to("b")]), Role(name: "a", files: ["x": "a"]),
            Role(name: "b", files: ["x": "from b"]),
        ]
        #expect(try await look(for: "x", in: roles).length == 1)
    }

    @Test func roleIsNotVisitedForUntrustedPath() async throws {
        let roles = [
            Role(name: "targets", delegations: [to("a", ["y"]), to("b", ["x"])]), Role(name: "a", files: ["x": "a"]),
            Role(name: "b", delegations: [to("c", ["y"])]), Role(name: "c", files: ["x": "from c"]),
        ]
        let (length, asked, _) = try await look(for: "x", in: roles)
        #expect(length == nil)
        #expect(asked == ["1.b.json"])
    }

    @Test func cyclesAreSkipped() async throws {
        let roles = [
            Role(name: "targets", delegations: [to("a")]), Role(name: "a", delegations: [to("b"), to("a")]),
            Role(name: "b", delegations: [to("a"), to("c")]), Role(name: "c", files: ["x": "from c"]),
        ]
        let (length, asked, _) = try await look(for: "x", in: roles)
        #expect(length == 6)
        #expect(asked == ["1.a.json", "1.b.json", "1.c.json"])
    }

    @Test func terminatingRoleEndsSearch() async throws {
        let roles = [
            Role(name: "targets", delegations: [to("a"), to("b")]),
            Role(name: "a", delegations: [to("c", isTerminating: true), to("d")]), Role(name: "c"),
            Role(name: "d", files: ["x": "d"]), Role(name: "b", files: ["x": "b"]),
        ]
        let (length, asked, _) = try await look(for: "x", in: roles)
        #expect(length == nil)
        #expect(asked == ["1.a.json", "1.c.json"])
    }

    @Test func searchVisitsAtMost32Roles() async throws {
        var roles = [Role(name: "targets", delegations: [to("r1")])]
        for number in 1..<40 { roles.append(Role(name: "r\(number)", delegations: [to("r\(number + 1)")])) }
        roles.append(Role(name: "r40", files: ["x": "deep"]))
        let (length, asked, outcome) = try await look(for: "x", in: roles)
        #expect(length == nil)
        #expect(outcome.error == nil)
        #expect(asked.count == 32)
    }

    @Test(arguments: ["?", "#", "/x", "../x", "a b", "é", "1.root"]) func roleNamesArePercentEncoded(_ name: String)
        async throws
    {
        let roles = [
            Role(name: "targets", delegations: [to(name)]), Role(name: name, files: ["x": "found"]),
        ]
        let (length, asked, outcome) = try await look(for: "x", in: roles)
        #expect(length == 5)
        let file = TrustedSet.fileName(of: name)
        #expect(asked == ["1.\(file)"])
        #expect(!file.contains("/"))
        #expect(outcome.trusted.received[file] == outcome.received.last?.bytes)
    }

    /// Three bytes per character, and nine when encoded: a server has the file, but no disk can store the encoded name.
    @Test(arguments: [
        String(repeating: "漢", count: 80), String(repeating: "/", count: 84), String(repeating: "a", count: 251),
    ])
    func roleWithLongNameIsStored(_ name: String) async throws {
        let roles = [Role(name: "targets", delegations: [to(name)]), Role(name: name, files: ["x": "found"])]
        let outcome = try await look(for: "x", in: roles).2
        let files = outcome.trusted.received
        #expect(files.count == 5)
        #expect(files[outcome.received.last?.name ?? ""] == outcome.received.last?.bytes)
        let temporary = TemporaryStore()
        try temporary.store.update(metadata: .init(base: [:], files: files)) { $0.app = "1" }
        #expect(try temporary.store.metadata() == files)
        #expect(try TrustedSet(remembering: temporary.store.metadata()).target("x")?.length == 5)
    }

    @Test(arguments: ["root", "targets", "Snapshot", "TIMESTAMP", ""])
    func namesOfTopLevelRolesAreReserved(_ name: String) async throws {
        let outcome = try await look(for: "x", in: [Role(name: "targets", delegations: [to(name)])]).2
        #expect(outcome.error?.rule == .malformed)
    }

    @Test func digestPrefixesDistributeFiles() async throws {
        // The SHA-256 of "x" starts with 2d71.
        let role = StrictJSON.object(
            SampleRepository.role([key]) + [
                ("name", .string("a")), ("path_hash_prefixes", .array([.string("2e"), .string("2d7")])),
                ("terminating", .boolean(false)),
            ])
        let roles = [
            Role(name: "targets", delegations: [role]), Role(name: "a", files: ["x": "found", "y": "not its own"]),
        ]
        #expect(try await look(for: "x", in: roles).length == 5)
        #expect(try await look(for: "y", in: roles).length == nil)
    }

    @Test func roleMissingFromSnapshotEndsRefresh() async throws {
        let server = MemoryServer()
        let timestamp = try SampleRepository.timestamp(by: [key])
        let snapshot = try SampleRepository.snapshot(roles: ["targets"], by: key)
        let targets = try SampleRepository.targets(delegations: [to("a")], keys: [key], by: key)
        server.contents.withLock {
            $0.files = ["timestamp.json": timestamp, "1.snapshot.json": snapshot, "1.targets.json": targets]
        }
        let client = UpdateClient(metadata: server.folder(""), files: server.folder("files/"))
        let trusted = try TrustedSet(root: SampleRepository.root(key: key))
        let outcome = await client.refresh(from: trusted, now: SampleRepository.now, lookingFor: ["x"])
        #expect(outcome.error?.description == "a: wrong version: the snapshot does not list the role")
        #expect(outcome.trusted.targets != nil)
    }
}
