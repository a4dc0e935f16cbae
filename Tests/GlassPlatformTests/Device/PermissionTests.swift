import GlassContainer
import GlassMarkets
@testable import GlassPlatform
import GlassSchema
import Testing

/// The state machine of every permission, tested with the notification permission.
@Suite(.timeLimit(.minutes(1)))
struct PermissionTests {
    let stub = PromptStub()

    func permission(_ prompt: PermissionPrompt? = nil) -> NotificationPermission {
        NotificationPermission(options: [.alert, .sound], prompt: prompt ?? stub.prompt)
    }

    @Test(
        arguments: [
            (.granted, .granted), (.denied(reason: "no"), .denied(reason: "no")),
            (.restricted(reason: "profile"), .restricted(reason: "profile")),
        ] as [(PermissionPrompt.Answer, PermissionStatus)])
    func answerIsFinal(answer: PermissionPrompt.Answer, status: PermissionStatus) async throws {
        let permission = permission()
        #expect(permission.status == .notDetermined)
        async let first = permission.request()
        await until { stub.asked.count == 1 }
        #expect(permission.status == .requesting)
        stub.answer(answer)
        #expect(try await first == status)
        #expect(try await permission.request() == status)
        #expect(stub.asked == [.notifications(options: [.alert, .sound])])
    }

    @Test func hundredRequestsShareOnePrompt() async throws {
        let permission = permission()
        let answers = try await withThrowingTaskGroup(of: PermissionStatus.self) { group in
            for _ in 0..<100 { group.addTask { try await permission.request() } }
            await until { stub.asked.count == 1 }
            stub.answer(.granted)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers == Array(repeating: .granted, count: 100))
        #expect(stub.asked.count == 1)
    }

    @Test func cancelledRequestDoesNotAffectOthers() async throws {
        let permission = permission()
        let leaving = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        async let staying = permission.request()
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        // The other request may not have joined yet; then there is a new prompt.
        await until { permission.status == .requesting && stub.asked.count == stub.cancelled + 1 }
        stub.answer(.granted)
        #expect(try await staying == .granted)
    }

    @Test func abandonedPromptIsCancelledAndMayBeShownAgain() async throws {
        let permission = permission()
        let leaving = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        #expect(permission.status == .notDetermined)
        await until { stub.cancelled == 1 }
        async let second = permission.request()
        await until { stub.asked.count == 2 }
        stub.answer(.granted)
        #expect(try await second == .granted)
    }

    @Test func cancelledTaskShowsNoPrompt() async {
        let permission = permission()
        let task = Task {
            await until { Task.isCancelled }
            return try await permission.request()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stub.asked.isEmpty)
        #expect(permission.status == .notDetermined)
    }

    @Test func lateAnswerCountsWithoutNewPrompt() async throws {
        let stub = PromptStub(endsWhenCancelled: false)
        let permission = permission(stub.prompt)
        let leaving = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        stub.answer(.granted)
        await until { permission.status == .granted }
    }

    @Test func lateAnswerDoesNotDecideNextPrompt() async throws {
        let stub = PromptStub(endsWhenCancelled: false)
        let permission = permission(stub.prompt)
        let leaving = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        leaving.cancel()
        await #expect(throws: CancellationError.self) { try await leaving.value }
        async let second = permission.request()
        await until { stub.asked.count == 2 }
        stub.answer(.denied(reason: "late"))
        stub.answer(.granted)
        #expect(try await second == .granted)
    }

    @Test func failedPromptLeavesPermissionUndetermined() async throws {
        let permission = permission()
        let request = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        stub.fail()
        let error = await #expect(throws: PermissionError.self) { try await request.value }
        #expect(
            error?.description == "notifications (alert, sound): the prompt failed before the user answered: "
                + "the window is gone; request it again")
        #expect(permission.status == .notDetermined)
        async let second = permission.request()
        await until { stub.asked.count == 2 }
        stub.answer(.granted)
        #expect(try await second == .granted)
    }

    @Test func requestWithoutPromptIsDeniedWithReason() async throws {
        let permission = NotificationPermission(options: [.badge])
        #expect(
            try await permission.request()
                == .denied(reason: "this program has no prompt; set the permissionPrompt of PlatformHost.device"))
        #expect(await permission.refresh().name == "denied")
    }

    @Test func listenersSeeStatusAndChangesInOrder() async throws {
        var permission: NotificationPermission? = permission()
        let updates = try #require(permission).statusUpdates()
        let answer = Task { [permission] in try await permission?.request() }
        await until { stub.asked.count == 1 }
        stub.answer(.denied(reason: "no"))
        #expect(try await answer.value == .denied(reason: "no"))
        permission = nil
        var seen: [String] = []
        for await status in updates { seen.append(status.name) }
        #expect(seen == ["notDetermined", "requesting", "denied"])
    }

    @Test func changeInSettingsIsSeenOnRefresh() async throws {
        let permission = permission(
            PermissionPrompt(recall: { _ in .restricted(reason: "a profile forbids it") }, ask: { _ in .granted }))
        #expect(try await permission.request() == .granted)
        #expect(await permission.refresh() == .restricted(reason: "a profile forbids it"))
        #expect(permission.status.description == "restricted: a profile forbids it")
        let forgetful = self.permission(PermissionPrompt(recall: { _ in nil }, ask: { _ in .granted }))
        #expect(try await forgetful.request() == .granted)
        #expect(await forgetful.refresh() == .notDetermined)
    }

    @Test func shutdownEndsPromptAndWaitingRequests() async throws {
        var host = PlatformHost()
        host.device.permissionPrompt = stub.prompt
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        let permission: any NotificationPermissionProvider = container.get()
        let request = Task { try await permission.request() }
        await until { stub.asked.count == 1 }
        await container.shutdown()
        await #expect(throws: CancellationError.self) { try await request.value }
        await until { stub.cancelled == 1 }
        #expect(permission.status == .notDetermined)
    }

    @Test func promptDoesNotRetainService() async {
        weak var gone: NotificationPermission?
        do {
            let permission = permission()
            gone = permission
            let request = Task { try? await permission.request() }  // the answer is irrelevant here
            await until { stub.asked.count == 1 }
            request.cancel()
            _ = await request.value
        }
        await until { gone == nil }
        await until { stub.cancelled == 1 }
    }

    @Test(
        arguments: [
            (.always, [:], "NSLocationWhenInUseUsageDescription"),
            (.whenInUse, ["NSLocationWhenInUseUsageDescription": ""], "NSLocationWhenInUseUsageDescription"),
            (
                .always, ["NSLocationWhenInUseUsageDescription": "To find stores"],
                "NSLocationAlwaysAndWhenInUseUsageDescription"
            ),
        ] as [(PermissionsConfiguration.LocationLevel, [String: String], String)])
    func missingUsageDescriptionPreventsLocationPermission(
        level: PermissionsConfiguration.LocationLevel, texts: [String: String], key: String
    ) {
        let error = #expect(throws: PermissionError.self) {
            try LocationPermission(locationPermissionLevel: level, usage: .declared(texts))
        }
        #expect(
            error?.description
                == "location (\(level.rawValue)): the app does not describe its use; add \(key) to its Info.plist")
    }

    @Test func usageDescriptionsAllowPermissions() async throws {
        let location = try LocationPermission(
            locationPermissionLevel: .whenInUse, prompt: .policy(.allow),
            usage: .declared(["NSLocationWhenInUseUsageDescription": "To find stores"]))
        #expect(try await location.request() == .granted)
        let video = try VideoPermission(
            prompt: .policy(.deny), usage: .declared(["NSCameraUsageDescription": "To scan"]), camera: .present)
        #expect(
            try await video.request()
                == .denied(reason: "the host denies every permission without asking"))
    }

    @Test func videoNeedsUsageDescriptionAndCamera() {
        let mute = #expect(throws: PermissionError.self) {
            try VideoPermission(usage: .declared([:]), camera: .present)
        }
        #expect(
            mute?.description
                == "video: the app does not describe its use; add NSCameraUsageDescription to its Info.plist")
        let blind = #expect(throws: PermissionError.self) {
            try VideoPermission(usage: .notNeeded, camera: .absent)
        }
        #expect(blind?.description == "video: this machine has no camera; connect one, or do not offer the feature")
    }

    #if os(Linux)
        /// Apple's systems show their own prompt instead.
        @Test(arguments: [(PermissionPolicy?.none, "denied"), (.deny, "denied"), (.allow, "granted")])
        func hostPolicyDecidesWithoutPrompt(policy: PermissionPolicy?, status: String) async throws {
            var host = PlatformHost()
            if let policy { host.device.permissionPolicy = policy }
            let container = Container()
            container.setupPlatformDependencies(with: sampleConfig(), host: host)
            let notifications: any NotificationPermissionProvider = container.get()
            let location: any LocationPermissionProvider = container.get()
            #expect(try await notifications.request().name == status)
            #expect(try await location.request().name == status)
            if status == "denied" {
                #expect(notifications.status.reason == "the host denies every permission without asking")
            }
        }
    #endif

    @Test func appWithoutCameraRunsAndExplains() async throws {
        var host = PlatformHost()
        host.device.camera = .absent
        host.device.usageDescriptions = .declared([:])
        host.device.permissionPrompt = .policy(.allow)
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        let video: any VideoPermissionProvider = container.get()
        #expect(try await video.request().reason?.contains("NSCameraUsageDescription") == true)
        let location: any LocationPermissionProvider = container.get()
        #expect(try await location.request().name == "restricted")
        #expect(try await container.get((any NotificationPermissionProvider).self).request() == .granted)
    }

    @Test(arguments: PermissionPolicy.allCases)
    func unattendedDeviceAnswersEveryPrompt(policy: PermissionPolicy) async throws {
        var host = PlatformHost()
        host.device = .unattended(permissions: policy, urlOpener: .print { _ in })
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig(), host: host)
        for name in ["NotificationPermissionProvider", "LocationPermissionProvider", "VideoPermissionProvider"] {
            let service = try #require(
                MarketModule.platform.service(named: name)?.resolve(in: container) as? any PermissionProviding)
            let status = try #require(service.scriptMethods.first { $0.name == "request" })
            #expect(try await status([]) == .string(policy == .allow ? "granted" : "denied"), "\(name)")
        }
    }
}
