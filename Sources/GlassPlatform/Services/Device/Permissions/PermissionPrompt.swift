/// A permission prompt, supplied by the program that embeds the platform.
///
/// ```swift
/// var host = PlatformHost()
/// host.device.permissionPrompt = PermissionPrompt { permission in
///     await dialog.confirm("Allow \(permission.name)?") ? .granted : .denied(reason: "the user said no")
/// }
/// ```
public struct PermissionPrompt: Sendable {
    /// The answer to a prompt.
    public enum Answer: Sendable, Equatable {
        /// The user granted it.
        case granted
        /// The user denied it.
        case denied(reason: String)
        /// No user of this device can grant it.
        case restricted(reason: String)
    }

    /// Asks the user. It is called once for all waiting requests, and canceled when none of them waits anymore.
    let ask: @Sendable (Permission) async throws -> Answer
    /// Returns an earlier answer without asking.
    let recall: (@Sendable (Permission) async -> Answer?)?

    /// Creates a prompt.
    ///
    /// - Parameters:
    ///   - recall: Returns an earlier answer without asking, or `nil` if the user has not been asked. With it, a
    ///     service notices changes that the user makes in the system settings; without it, a service knows only its own
    ///     answers.
    ///   - ask: Asks the user. It is called once for all waiting requests, and its task is canceled when none of them
    ///     waits anymore. If it returns an answer anyway, the answer counts, unless a new prompt has been started.
    public init(
        recall: (@Sendable (Permission) async -> Answer?)? = nil,
        ask: @escaping @Sendable (Permission) async throws -> Answer
    ) {
        self.ask = ask
        self.recall = recall
    }

    /// A prompt with a fixed answer, for example from a command-line flag.
    ///
    /// - Parameter policy: The answer.
    /// - Returns: A prompt that never waits.
    public static func policy(_ policy: PermissionPolicy) -> PermissionPrompt {
        PermissionPrompt { _ in
            switch policy {
            case .allow: .granted
            case .deny: .denied(reason: "the host denies every permission without asking")
            }
        }
    }
}

/// The answer of a program without a user to every permission request.
public enum PermissionPolicy: String, Sendable, CaseIterable {
    /// Grant it.
    case allow
    /// Deny it.
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
