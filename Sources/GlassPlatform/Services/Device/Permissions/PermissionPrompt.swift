/// How the user is asked for a permission: supplied by the program that embeds the platform.
///
/// ```swift
/// var host = PlatformHost()
/// host.device.permissionPrompt = PermissionPrompt { permission in
///     await dialog.confirm("Allow \(permission.name)?") ? .granted : .denied(reason: "the user said no")
/// }
/// ```
public struct PermissionPrompt: Sendable {
    /// What came of asking.
    public enum Answer: Sendable, Equatable {
        /// The user said yes.
        case granted
        /// The user said no.
        case denied(reason: String)
        /// Nobody on this device can allow it.
        case restricted(reason: String)
    }

    /// Asks the user. It is called once, however many wait for the answer, and cancelled when none waits any more.
    let ask: @Sendable (Permission) async throws -> Answer
    /// Says what was answered before, without asking.
    let recall: (@Sendable (Permission) async -> Answer?)?

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - recall: Says what was answered before, without asking; nil means that nobody was asked. It lets a service
    ///     notice what the user changed in the system's settings. Without it a service knows its own answers only.
    ///   - ask: Asks the user. It is called once, however many wait for the answer, and its task is cancelled when none
    ///     waits any more; an answer that it gives all the same counts, unless somebody asked anew.
    public init(
        recall: (@Sendable (Permission) async -> Answer?)? = nil,
        ask: @escaping @Sendable (Permission) async throws -> Answer
    ) {
        self.ask = ask
        self.recall = recall
    }

    /// A prompt that answers by itself, as a flag of a command line does.
    ///
    /// - Parameter policy: The answer.
    /// - Returns: A prompt that never waits.
    public static func policy(_ policy: PermissionPolicy) -> PermissionPrompt {
        PermissionPrompt { _ in
            switch policy {
            case .allow: .granted
            case .deny: .denied(reason: "the host denies every permission, and asks nobody")
            }
        }
    }
}

/// What a program without a user answers for every permission.
public enum PermissionPolicy: String, Sendable, CaseIterable {
    /// Yes.
    case allow
    /// No.
    case deny
}

extension PermissionStatus {
    init(_ answer: PermissionPrompt.Answer) {
        switch answer {
        case .granted: self = .granted
        case .denied(let reason): self = .denied(reason: reason)
        case .restricted(let reason): self = .restricted(reason: reason)
        }
    }
}
