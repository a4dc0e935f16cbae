#if canImport(AVFoundation)
    import AVFoundation
#else
    import Foundation
#endif

/// Whether the device has a camera.
package enum CameraPresence: Sendable {
    /// Determined by the system: a Video4Linux capture device on Linux, an AVFoundation device on Apple platforms.
    case system
    /// There is a camera, possibly a simulated one.
    case present
    /// There is no camera.
    case absent

    /// Whether there is a camera now.
    package var isPresent: Bool {
        switch self {
        case .present: true
        case .absent: false
        case .system: Self.hasCamera
        }
    }

    private static var hasCamera: Bool {
        #if canImport(AVFoundation)
            AVCaptureDevice.default(for: .video) != nil
        #else
            FileManager.default.fileExists(atPath: "/dev/video0")
        #endif
    }
}
