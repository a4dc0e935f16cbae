import Foundation
import GRDB
import GlassContainer
import GlassPlatformMocks
import Testing

@testable import GlassPlatform

/// Storage while the process is about to be suspended. GRDB's notifications are process-wide, so each test ends with
/// the one that resumes databases.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SuspensionTests {
    private static let key = StorageKey<Int>("n", "visits")

    private func container(_ host: PlatformHost) -> Container {
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        return container
    }

    private func isSuspended(_ error: StorageError?) -> Bool {
        if case .suspended? = error { true } else { false }
    }

    @Test func writesAreRejectedAndReadsContinueUntilResumed() async throws {
        let folder = try StateFolder()
        let host = PlatformHost(stateFolder: folder.url)
        let container = container(host)
        let storage: any StorageAPI = container.get()
        try storage.set(1, for: Self.key)
        host.applicationWillSuspend()
        let error = #expect(throws: StorageError.self) { try storage.set(2, for: Self.key) }
        #expect(
            error?.description
                == "storage: cannot store n.visits while the process is about to be suspended; try again after "
                + "PlatformHost.applicationDidResume()")
        #expect(try storage.value(for: Self.key) == 1)
        host.applicationDidResume()
        try storage.set(3, for: Self.key)
        #expect(try storage.value(for: Self.key) == 3)
        #expect(storage.issues.isEmpty)
        await container.shutdown()
    }

    /// An app may post GRDB's notifications itself, for its own databases.
    @Test func grdbNotificationsSuspendAndResume() throws {
        let folder = try StateFolder()
        let storage = StoragePlatformAPI(folder: folder.url)
        try storage.set(1, for: Self.key)
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
        let error = #expect(throws: StorageError.self) { try storage.set(2, for: Self.key) }
        #expect(isSuspended(error))
        #expect(try storage.value(for: Self.key) == 1)
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
        try storage.set(2, for: Self.key)
        #expect(try storage.value(for: Self.key) == 2)
    }

    @Test func lockHolderIsRolledBackAndReleasesLock() throws {
        let folder = try StateFolder()
        let host = PlatformHost(stateFolder: folder.url)
        let storage = StoragePlatformAPI(folder: folder.url, host: host.storage)
        try storage.set(1, for: Self.key)
        let error = #expect(throws: StorageError.self) {
            try storage.transaction { transaction in
                try transaction.set(2, for: Self.key)
                host.applicationWillSuspend()
                try transaction.set(3, for: Self.key)
            }
        }
        #expect(isSuspended(error))
        // Another process could write now: this connection does not wait for a lock, and ignores the notifications.
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let other = try DatabaseQueue(
            path: StoragePlatformAPI.file(in: folder.url).path, configuration: configuration)
        try other.inTransaction(.immediate) { _ in .rollback }
        try other.close()
        host.applicationDidResume()
        #expect(try storage.value(for: Self.key) == 1)
    }

    @Test func fileIsNotOpenedWhileSuspended() throws {
        let folder = try StateFolder()
        let host = PlatformHost(stateFolder: folder.url)
        host.applicationWillSuspend()
        let storage = StoragePlatformAPI(folder: folder.url, host: host.storage)
        #expect(isSuspended(#expect(throws: StorageError.self) { try storage.set(1, for: Self.key) }))
        #expect(isSuspended(#expect(throws: StorageError.self) { try storage.value(for: Self.key) }))
        #expect(try folder.names() == [])
        host.applicationDidResume()
        try storage.set(1, for: Self.key)
        #expect(try storage.value(for: Self.key) == 1)
    }

    @Test func copiesOfHostAreSuspendedTogetherButMemoryIsNot() throws {
        let folder = try StateFolder()
        let host = PlatformHost(stateFolder: folder.url)
        var copy = host
        copy.stateFolder = nil
        copy.applicationWillSuspend()
        let memory = StoragePlatformAPI(folder: nil, host: copy.storage)
        try memory.set(1, for: Self.key)
        #expect(try memory.value(for: Self.key) == 1)
        #expect(host.storage.suspension.isSuspended && copy.telemetry.suspension?.isSuspended == true)
        host.applicationDidResume()
        #expect(!copy.storage.suspension.isSuspended)
    }

    @Test func eventWhileSuspendedIsRejected() async throws {
        let folder = try StateFolder()
        let host = PlatformHost(stateFolder: folder.url)
        let container = container(host)
        let analytics: any Analytics = container.get()
        try analytics.track(AnalyticsEvent("before"))
        host.applicationWillSuspend()
        let error = #expect(throws: AnalyticsError.self) { try analytics.track(AnalyticsEvent("meanwhile")) }
        #expect(error?.description.contains("applicationDidResume") == true, "\(error as Any)")
        host.applicationDidResume()
        try analytics.track(AnalyticsEvent("after"))
        await container.shutdown()
    }

    @Test func missingAppGroupEntitlementIsReported() throws {
        let error = #expect(throws: PlatformHostError.self) {
            try PlatformHost(appGroup: "group.com.walmart.canada") { _ in nil }
        }
        #expect(error == .missingEntitlement(group: "group.com.walmart.canada"))
        #expect(
            error?.description
                == "the app has no folder for the group \"group.com.walmart.canada\"; add it to "
                + "com.apple.security.application-groups in the target's entitlements")
        let folder = try StateFolder()
        let host = try PlatformHost(appGroup: "group.x") { _ in folder.url }
        let storage = StoragePlatformAPI(folder: host.stateFolder, host: host.storage)
        try storage.set(1, for: Self.key)
        #expect(host.stateFolder?.path.hasPrefix(folder.url.path) == true)
        #if !canImport(Darwin)
            let none = #expect(throws: PlatformHostError.self) { try PlatformHost(appGroup: "group.x") }
            #expect(none?.description == "this system has no app groups; set the stateFolder of PlatformHost")
        #endif
    }
}
