import Crypto
import GlassBase
@testable import GlassDelivery
import Testing

/// The test vectors in `Fixtures/tuf`, generated and verified with python-tuf.
@Suite struct VectorTests {
    @Test func allVectorsArePresent() {
        #expect(Vector.all.count == 62)
        #expect(Vector.all.allSatisfy { !$0.steps.isEmpty })
    }

    /// Each step starts from the files of a store, as after a restart of the app.
    @Test(arguments: Vector.all) func clientWithStoreFollowsVector(_ vector: Vector) async throws {
        var store = ["root.json": vector.trustedRoot]
        for step in vector.steps {
            let trusted = try TrustedSet(remembering: store, limits: vector.limits)
            let outcome = try await play(step, from: trusted, &store)
            #expect(outcome.trusted.received == store, "\(vector.name): a file is not stored as received")
            if !step.isRefused {
                let again = try TrustedSet(stored: store, at: step.now, limits: vector.limits)
                #expect(again.targetFiles == outcome.trusted.targetFiles)
            }
        }
    }

    /// Each step continues with the result of the previous one.
    @Test(arguments: Vector.all) func longRunningClientFollowsVector(_ vector: Vector) async throws {
        var trusted = try TrustedSet(root: vector.trustedRoot, limits: vector.limits)
        var store = ["root.json": vector.trustedRoot]
        for step in vector.steps { trusted = try await play(step, from: trusted, &store).trusted }
    }

    private func play(
        _ step: Vector.Step, from trusted: TrustedSet, _ store: inout [String: [UInt8]]
    ) async throws -> RefreshOutcome {
        let server = MemoryServer()
        server.contents.withLock {
            $0.files = step.files
            $0.faults = step.faults
        }
        let client = UpdateClient(metadata: server.folder("metadata/"), files: server.folder("targets/"))
        let outcome = await client.refresh(from: trusted, now: step.now, lookingFor: Array(step.fetch.keys))
        #expect((outcome.error != nil) == step.isRefused, "\(outcome.error?.description ?? "ok")")
        if let error = outcome.error { #expect(Self.kinds(error).contains(step.error), "\(error)") }

        if outcome.hasForgotten {
            store["timestamp.json"] = nil
            store["snapshot.json"] = nil
        }
        for file in outcome.received { store[file.name] = file.bytes }
        var versions: [String: Int] = [:]
        for role in UpdateRole.allCases {
            guard let bytes = store["\(role.rawValue).json"] else { continue }
            versions[role.rawValue] = try StrictJSON(reading: bytes, limit: 1 << 20, numbers: .all)["signed"]?[
                "version"]?.intValue
        }
        #expect(versions == step.trusted)
        if !step.isRefused {
            for (path, digest) in step.fetch {
                guard let file = outcome.files[path] else {
                    #expect(digest == nil, "\(path) is listed")
                    continue
                }
                let download = await client.download(file, of: outcome.trusted)
                #expect(download.bytes.map { SHA256.hash(data: $0).hexadecimal } == digest)
                #expect((download.error == nil) == (digest != nil))
            }
        }
        // The order in which an app fetches files is up to the app.
        if let requests = step.requests {
            let made = server.contents.withLock { $0.requests }
            let isFile = { (path: String) in path.hasPrefix("targets/") }
            #expect(made.filter { !isFile($0) } == requests.filter { !isFile($0) })
            #expect(made.filter(isFile).sorted() == requests.filter(isFile).sorted())
        }
        return outcome
    }

    /// The names that vectors may give an error: if one key signs twice, two rules are violated.
    private static func kinds(_ error: MetadataError) -> [String?] {
        let kind = error.rule.rawValue.replacing(" ", with: "-")
        return error.text.contains("signed twice") ? [kind, "unsigned"] : [kind]
    }
}
