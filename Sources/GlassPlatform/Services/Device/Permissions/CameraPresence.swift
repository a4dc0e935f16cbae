#if canImport(AVFoundation)
    import AVFoundation
#else
    import Foundation
#endif

/// Whether there is a camera to ask for.
package enum CameraPresence: Sendable {
    /// The system knows: on Linux a capture device of Video4Linux, on Apple platforms one of AVFoundation.
    case system
    /// There is one, such as a simulated one.
    case present
    /// There is none.
    case absent

    /// Whether there is one now.
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
