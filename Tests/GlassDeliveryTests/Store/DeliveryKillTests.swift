#if os(Linux)
    import DeliverySupport
    import Foundation
    import GlassDelivery
    import GlassMarkets
    import TestSupport
    import Testing

    /// A process is killed before each of the system calls with which it changes a store, also after one that is torn;
    /// the short run covers every fifth, in turn killed and torn.
    @Suite struct DeliveryKillTests {
        private static let ids = ["ca", "mx", "us", "za"]

        /// A flow that is killed, and the contents of the store before it.
        struct Flow: Sendable, CustomTestStringConvertible {
            let name: String
            let command: String
            /// Earlier flows that ran to completion, against a server with these releases.
            let before: [(release: String, commands: [String])]
            /// The current release on the server.
            let release: String
            /// The releases that readers may find.
            let readable: Set<String>
            /// The earlier release that is revoked now.
            var revokes: String?

            var testDescription: String { name }
        }

        static let flows: [Flow] = [
            Flow(
                name: "first refresh", command: "refresh", before: [], release: "one", readable: ["embedded"]),
            Flow(
                name: "first start", command: "start", before: [], release: "one", readable: ["embedded"]),
            Flow(
                name: "activation", command: "start", before: [("one", ["refresh"])], release: "one",
                readable: ["embedded", "one"]),
            Flow(
                name: "healthy", command: "healthy", before: [("one", ["refresh"])], release: "one",
                readable: ["embedded", "one"]),
            Flow(
                name: "second refresh", command: "refresh", before: [("one", ["refresh", "healthy"])], release: "two",
                readable: ["one"]),
            Flow(
                name: "second activation and collection", command: "healthy",
                before: [("one", ["refresh", "healthy"]), ("two", ["refresh"])], release: "two",
                readable: ["one", "two"]),
            Flow(
                name: "background", command: "background",
                before: [("one", ["refresh", "healthy"]), ("two", ["refresh"])], release: "two",
                readable: ["one", "two"]),
            Flow(
                name: "going back", command: "start",
                before: [("one", ["refresh", "healthy"]), ("two", ["refresh", "start", "start", "start"])],
                release: "two", readable: ["one", "two"]),
            Flow(
                name: "revocation", command: "refresh",
                before: [("one", ["refresh", "healthy"]), ("two", ["refresh", "start"])], release: "three",
                readable: ["one", "two"], revokes: "two"),
            Flow(
                name: "an app with newer markets", command: "update",
                before: [("one", ["refresh", "healthy"])], release: "one", readable: ["one", "embedded2"]),
        ]

        @Test(
            .timeLimit(.minutes(10)),
            .enabled(
                if: Sanitizer.name != "thread",
                "under ThreadSanitizer, a forked child that starts threads never ends"))
        func killedProcessLeavesOldStoreOrNewOne() async throws {
            let server = try DeliveryWriter.Server()
            var (points, kills, problems) = (0, 0, [String]())
            for flow in Self.flows {
                let scene = try Scene(flow, server)
                let whole = try scene.copy()
                let steps = try server.run(flow.command, killBefore: 0, in: whole).steps
                #expect(steps > 5, "\(flow.name)")
                let stride = rounds(all: 1, few: 5)
                for step in Swift.stride(from: 1, through: steps, by: stride) {
                    for isTorn in stride == 1 ? [false, true] : [step / stride % 2 == 1] {
                        let folder = try scene.copy()
                        let end = try server.run(flow.command, killBefore: step, isTorn: isTorn, in: folder)
                        points += 1
                        if end.wasKilled { kills += 1 }
                        let place = "\(flow.name), call \(step) of \(steps)\(isTorn ? ", torn" : "")"
                        if let error = end.error { problems.append("\(place): \(error)") }
                        problems += try scene.problems(of: folder, server).map { "\(place): \($0)" }
                        try FileManager.default.removeItem(at: folder)
                    }
                }
            }
            try server.stop()
            print(
                "delivery: \(kills) of \(points) processes killed in \(Self.flows.count) flows, \(problems.count) problems"
            )
            #expect(problems.isEmpty, "\(problems.prefix(5).joined(separator: "\n"))")
            // If the last call is torn, there is no further call at which to kill the process.
            #expect(kills >= points * 9 / 10)
            #expect(points >= rounds(all: 500, few: 50))
        }

        /// The initial state of a flow.
        private final class Scene {
            private let flow: Flow
            private let folder: URL
            private let parent: URL
            private var before: [String: Int] = [:]
            private var copies = 0

            init(_ flow: Flow, _ server: DeliveryWriter.Server) throws {
                self.flow = flow
                let memory = URL(filePath: "/dev/shm")
                let isInMemory = FileManager.default.isWritableFile(atPath: memory.path)
                parent = (isInMemory ? memory : FileManager.default.temporaryDirectory)
                    .appending(path: "delivery-kills-\(UUID().uuidString)")
                folder = parent.appending(path: "scene")
                let repository = try TestRepository(folder.appending(path: "server"))
                func publish(_ release: String, revoked: String? = nil) throws {
                    let digests = revoked.map { revoked in
                        ids.map { DeliveredVersion(of: TestMarkets.file($0, revoked).bytes, path: "").digest }
                    }
                    try repository.publish(ids.map { TestMarkets.file($0, release) }, revoked: digests ?? [])
                }
                try publish("embedded")
                try repository.embed(in: folder.appending(path: "app"))
                for (release, commands) in flow.before {
                    try publish(release)
                    for command in commands {
                        let end = try server.run(command, killBefore: 0, in: folder)
                        #expect(!end.wasKilled && end.error == nil, "\(end)")
                    }
                }
                if flow.before.last?.release != flow.release { try publish(flow.release, revoked: flow.revokes) }
                if flow.command == "update" {
                    let server = folder.appending(path: "server")
                    let saved = folder.appending(path: "saved")
                    try FileManager.default.copyItem(at: server, to: saved)
                    try publish("embedded2")
                    try repository.embed(in: folder.appending(path: "app2"))
                    try FileManager.default.removeItem(at: server)
                    try FileManager.default.moveItem(at: saved, to: server)
                }
                before = try versions(folder)
            }

            deinit {
                // The system cleans up a folder that cannot be removed.
                try? FileManager.default.removeItem(at: parent)
            }

            func copy() throws -> URL {
                copies += 1
                let copy = parent.appending(path: "copy-\(copies)")
                try FileManager.default.copyItem(at: folder, to: copy)
                return copy
            }

            /// The versions of the stored metadata, by file.
            private func versions(_ folder: URL) throws -> [String: Int] {
                let metadata = try DeliveryStore(folder.appending(path: "store").path).metadata()
                guard !metadata.isEmpty else { return [:] }
                return try TrustedSet(remembering: metadata).versions
            }

            /// The problems in a store after a kill, and after the subsequent operations on a phone.
            func problems(of folder: URL, _ server: DeliveryWriter.Server) throws -> [String] {
                var problems: [String] = []
                // Readers can load it, and every market is from one of these releases.
                let reader = try TestMarkets.open(
                    folder, role: .reader, embedded: flow.command == "update" ? "app2" : "app")
                var releases: [String] = []
                for id in ids {
                    do {
                        releases.append(try reader.check(id).market?.definition.name ?? "no market")
                    } catch {
                        problems.append("\(id) does not load: \(error)")
                    }
                }
                if !flow.readable.isSuperset(of: releases) { problems.append("found \(releases)") }
                // A refresh changes all markets in one step or none.
                if flow.command == "refresh", Set(releases).count > 1 { problems.append("mixed: \(releases)") }
                if let problem = reader.readState().problem { problems.append("\(problem)") }
                // Nothing is older than before, neither the files nor the versions in the state.
                let found = try versions(folder)
                let state = try DeliveryStore(folder.appending(path: "store").path).state()
                for (role, version) in before {
                    if found[role] ?? 0 < version { problems.append("\(role) \(found[role] ?? 0) after \(version)") }
                    if state?.versions[role] ?? 0 < version { problems.append("the state forgot \(role) \(version)") }
                }
                // The subsequent operations install the latest release, whatever was left; a version whose trial failed
                // stays inactive.
                guard flow.name != "going back", flow.command != "update" else { return problems }
                for command in ["refresh", "healthy"] {
                    let end = try server.run(command, killBefore: 0, in: folder)
                    if end.wasKilled || end.error != nil { problems.append("\(command) afterwards: \(end)") }
                }
                let after = try TestMarkets.open(folder, role: .reader)
                for id in ids where try after.check(id).market?.definition.name != flow.release {
                    problems.append("\(id) is not at \(flow.release) afterwards")
                }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store/objects")
                if names.count != ids.count { problems.append("\(names.count) objects are left") }
                let others = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")
                if others.contains(where: { $0.hasPrefix(".part-") }) { problems.append("a part is left") }
                return problems
            }
        }
    }
#endif
