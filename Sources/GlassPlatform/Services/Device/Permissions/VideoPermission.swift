/// The permission to record video.
public final class VideoPermission: VideoPermissionProvider, MachinePermission {
    package let machine: PermissionMachine

    /// Creates the service.
    ///
    /// - Parameter prompt: The prompt for the user. Without one, requests are denied.
    /// - Throws: ``PermissionError/missingUsageDescription(_:key:)`` if the app does not describe its use of the camera
    ///   (only on Apple platforms, where the system terminates an app that asks without a description);
    ///   ``PermissionError/noCamera``.
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

    /// Creates a service that cannot be granted, for an app that has to work without the permission.
    init(restrictedBy error: PermissionError) {
        machine = PermissionMachine(.video, prompt: nil, restriction: "\(error)")
    }
}
