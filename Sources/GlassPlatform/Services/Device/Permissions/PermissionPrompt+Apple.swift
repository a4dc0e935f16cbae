#if canImport(AVFoundation) && canImport(CoreLocation) && canImport(UserNotifications)
    import AVFoundation
    import CoreLocation
    import Foundation
    import UserNotifications

    extension PermissionPrompt {
        /// The system's prompts.
        public static var system: PermissionPrompt {
            PermissionPrompt(
                recall: { permission in
                    switch permission {
                    case .notifications: answer(await notificationStatus())
                    case .location(let level): await LocationAuthorization().answer(level)
                    case .video: answer(AVCaptureDevice.authorizationStatus(for: .video))
                    }
                },
                ask: { permission in
                    switch permission {
                    case .notifications(let options):
                        let isGranted = try await UNUserNotificationCenter.current()
                            .requestAuthorization(options: UNAuthorizationOptions(options))
                        return isGranted ? .granted : .denied(reason: refusal)
                    case .location(let level):
                        let authorization = await LocationAuthorization()
                        await authorization.ask(level)
                        return await authorization.answer(level) ?? .denied(reason: refusal)
                    case .video:
                        _ = await AVCaptureDevice.requestAccess(for: .video)
                        return answer(AVCaptureDevice.authorizationStatus(for: .video)) ?? .denied(reason: refusal)
                    }
                })
        }

        fileprivate static let refusal = "the user said no"
        fileprivate static let restriction = "the device's settings forbid it"

        private static func notificationStatus() async -> UNAuthorizationStatus {
            await withCheckedContinuation { continuation in
                UNUserNotificationCenter.current().getNotificationSettings {
                    continuation.resume(returning: $0.authorizationStatus)
                }
            }
        }

        private static func answer(_ status: UNAuthorizationStatus) -> Answer? {
            switch status {
            case .notDetermined: nil
            case .denied: .denied(reason: refusal)
            default: .granted
            }
        }

        private static func answer(_ status: AVAuthorizationStatus) -> Answer? {
            switch status {
            case .authorized: .granted
            case .restricted: .restricted(reason: restriction)
            case .denied: .denied(reason: refusal)
            default: nil
            }
        }
    }

    extension UNAuthorizationOptions {
        fileprivate init(_ options: [PermissionsConfiguration.NotificationOption]) {
            self = []
            for option in options {
                switch option {
                case .alert: insert(.alert)
                case .sound: insert(.sound)
                case .badge: insert(.badge)
                case .carPlay: insert(.carPlay)
                case .provisional: insert(.provisional)
                }
            }
        }
    }

    /// Requests an authorization from Core Location, which reports the answer to a delegate.
    @MainActor
    private final class LocationAuthorization: NSObject, CLLocationManagerDelegate {
        private let manager = CLLocationManager()
        private var waiting: CheckedContinuation<Void, Never>?

        func ask(_ level: PermissionsConfiguration.LocationLevel) async {
            guard manager.authorizationStatus == .notDetermined else { return }
            await withCheckedContinuation { continuation in
                waiting = continuation
                manager.delegate = self
                if level == .always {
                    manager.requestAlwaysAuthorization()
                } else {
                    manager.requestWhenInUseAuthorization()
                }
            }
        }

        func answer(_ level: PermissionsConfiguration.LocationLevel) -> PermissionPrompt.Answer? {
            switch manager.authorizationStatus {
            case .notDetermined: return nil
            case .restricted: return .restricted(reason: PermissionPrompt.restriction)
            case .denied: return .denied(reason: PermissionPrompt.refusal)
            case .authorizedAlways: return .granted
            default:
                // The user allowed access only while the app is in use, which is less than always.
                return level == .whenInUse
                    ? .granted : .denied(reason: "the user allowed it only while the app is in use")
            }
        }

        nonisolated func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            // Core Location also calls this when the delegate is set, before the user has answered.
            guard manager.authorizationStatus != .notDetermined else { return }
            Task { @MainActor in
                waiting?.resume()
                waiting = nil
            }
        }
    }
#endif
