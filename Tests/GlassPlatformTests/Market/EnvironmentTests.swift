import Foundation
import GlassContainer
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

@Suite(.timeLimit(.minutes(1)))
struct EnvironmentTests {
    struct DiskFull: Error, CustomStringConvertible {
        let description = "the disk is full"
    }

    let storage = StorageAPIMock()

    func service(_ storage: (any StorageAPI)?, application: String = "a") -> EnvironmentPlatformAPI {
        EnvironmentPlatformAPI(
            configurations: sampleConfig().environment, storage: storage, application: application)
    }

    @Test func switchChangesBaseURLsAndIsStored() throws {
        let first = service(storage)
        #expect(first.current == "production")
        try first.switchTo("staging")
        #expect(first.current == "staging")
        #expect(try first.baseURL(for: "api").absoluteString == "https://s.example.com/v1")
        let next = service(storage)
        #expect(next.current == "staging")
        #expect(next.startProblem == nil)
        #expect(service(storage, application: "b").current == "production")
        #expect(service(nil).current == "production")
    }

    @Test func removedEnvironmentFallsBackToDefaultAndIsReported() throws {
        try service(storage).switchTo("staging")
        var configuration = sampleConfig().environment
        configuration.environments["staging"] = nil
        let next = EnvironmentPlatformAPI(configurations: configuration, storage: storage, application: "a")
        #expect(next.current == "production")
        #expect(next.startProblem == .storedEnvironmentMissing("staging", using: "production"))
        #expect(
            next.startProblem?.description == "the environment \"staging\" was in use, but this market no longer has "
                + "it; using \"production\"")
        // It is used again once the market has it again, unless another one was chosen.
        #expect(service(storage).current == "staging")
    }

    @Test(arguments: ServiceKind.allCases)
    func unknownEnvironmentIsRejected(kind: ServiceKind) throws {
        let environment: any EnvironmentAPI = kind.container().get()
        let before = environment.current
        let error = #expect(throws: EnvironmentError.self) { try environment.switchTo("moon") }
        #expect(
            error?.description == "there is no environment \"moon\"; the environments are "
                + environment.names.joined(separator: ", "))
        #expect(environment.current == before)
    }

    @Test(arguments: ServiceKind.allCases)
    func listenersSeeEverySwitchInOrder(kind: ServiceKind) async throws {
        var container: Container? = kind.container()
        var environment: (any EnvironmentAPI)? = container?.get()
        let names = try #require(environment?.names)
        let start = try #require(environment?.current)
        let changes = try #require(environment?.changes())
        for name in names + names + names { try environment?.switchTo(name) }
        environment = nil
        container = nil
        var seen: [String] = []
        for await name in changes { seen.append(name) }
        var expected = [start]
        for name in names + names + names where name != expected.last { expected.append(name) }
        #expect(seen == expected)
    }

    @Test func failingStorageIsErrorAndChangesNothing() throws {
        let environment = EnvironmentPlatformAPI(
            configurations: sampleConfig().environment, recall: { throw DiskFull() },
            remember: { _ in throw DiskFull() })
        #expect(environment.current == "production")
        #expect(
            environment.startProblem?.description
                == "the last environment could not be read: the disk is full; "
                + "using \"production\"")
        let error = #expect(throws: EnvironmentError.self) { try environment.switchTo("staging") }
        #expect(
            error?.description == "did not switch to \"staging\", because the choice could not be stored: "
                + "the disk is full")
        guard case .notPersisted("staging", _ as DiskFull) = error else {
            Issue.record("the cause is lost: \(String(describing: error))")
            return
        }
        #expect(environment.current == "production")
    }

    @Test func invalidStoredNameIsReported() throws {
        try storage.set(7, for: StorageKey<Int>("environment", "a"))
        let environment = service(storage)
        #expect(environment.current == "production")
        #expect(
            environment.startProblem?.description.hasPrefix("the last environment could not be read") == true)
        try environment.switchTo("staging")
        #expect(service(storage).current == "staging")
    }

    @Test func lastStoredEnvironmentIsUsed() async throws {
        let environment = service(storage)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    do {
                        try environment.switchTo(index.isMultiple(of: 2) ? "staging" : "production")
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        #expect(service(storage).current == environment.current)
    }

    @Test func environmentIsStoredInContainersStorage() throws {
        for _ in 0..<2 {
            let container = Container()
            container.setupPlatformDependencies(with: sampleConfig(), host: .inMemory)
            container.register((any StorageAPI).self) { [storage] _ in storage }
            let environment: any EnvironmentAPI = container.get()
            if environment.current == "production" { try environment.switchTo("staging") }
            #expect(environment.current == "staging")
        }
        let stored: any StorageAPI = storage
        #expect(try stored.keys(in: "environment") == ["com.example.app"])
    }

    @Test func shutdownEndsSequences() async throws {
        let environment = service(nil)
        let changes = environment.changes()
        environment.dispose()
        #expect(await changes.reduce(into: []) { $0.append($1) } == ["production"])
        #expect(await environment.changes().reduce(into: []) { $0.append($1) } == ["production"])
    }

    @Test func scriptSwitchesEnvironment() async throws {
        let environment = service(storage)
        let methods = environment.scriptMethods
        _ = try await methods.first { $0.name == "switchTo" }?(["staging"])
        #expect(try await methods.first { $0.name == "current" }?([]) == "staging")
        #expect(try await methods.first { $0.name == "startProblem" }?([]) == ScriptValue.nil)
    }
}
