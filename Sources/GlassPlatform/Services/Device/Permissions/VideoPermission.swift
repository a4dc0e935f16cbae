/// Asks whether the app may record video.
public final class VideoPermission: VideoPermissionProvider, MachinePermission {
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameter prompt: How the user is asked; without one a request is denied.
    /// - Throws: ``PermissionError/missingUsageDescription(_:key:)`` when the app does not say what it wants the camera
    ///   for (Apple platforms only, where the system ends an app that asks without); ``PermissionError/noCamera``.
    public convenience init(prompt: PermissionPrompt? = nil) throws(PermissionError) {
        try self.init(prompt: prompt, usage: .system, camera: .system)
    }

    /// Creates the service.
    package init(
        prompt: PermissionPrompt? = nil, usage: UsageDescriptions, camera: CameraPresence
    ) throws(PermissionError) {
        try usage.require(.video)
        guard camera.isPresent else { throw .noCamera }
        machine = PermissionMachine(.video, prompt: prompt)
    }

    /// Creates a service that cannot be granted, for an app that must run all the same.
    init(restrictedBy error: PermissionError) {
        machine = PermissionMachine(.video, prompt: nil, restriction: "\(error)")
    }
}
