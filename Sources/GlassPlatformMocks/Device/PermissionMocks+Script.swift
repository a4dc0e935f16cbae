public import GlassMarkets
import GlassPlatform
public import GlassSchema

extension NotificationPermissionProviderMock: ScriptedMock {
    /// `set`.
    public var mockMethods: [ScriptMethod] { [.setPermission { self.set($0) }] }
}

extension LocationPermissionProviderMock: ScriptedMock {
    /// `set`.
    public var mockMethods: [ScriptMethod] { [.setPermission { self.set($0) }] }
}

extension VideoPermissionProviderMock: ScriptedMock {
    /// `set`.
    public var mockMethods: [ScriptMethod] { [.setPermission { self.set($0) }] }
}

extension ScriptMethod {
    /// The method by which a test decides for the user.
    fileprivate static func setPermission(_ set: @escaping @Sendable (PermissionStatus) -> Void) -> ScriptMethod {
        ScriptMethod(
            "set", ["status", "reason?"], "Decides without asking: notDetermined, granted, denied or restricted."
        ) { arguments in
            let reason = try arguments.optionalString(1, "reason") ?? "the test says so"
            switch try arguments.string(0, "status") {
            case "notDetermined": set(.notDetermined)
            case "granted": set(.granted)
            case "denied": set(.denied(reason: reason))
            case "restricted": set(.restricted(reason: reason))
            case let other:
                throw ScriptArgumentError(
                    method: "set", parameter: "status", expected: "notDetermined, granted, denied or restricted",
                    found: other.quotedForMessage)
            }
            return .nil
        }
    }
}

extension LocationUpdatesProviderMock: ScriptedMock {
    /// `move`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod("move", ["latitude", "longitude", "accuracyMetres?"], "Moves the device.") { arguments in
                var place = Location(
                    latitude: try arguments.number(0, "latitude"), longitude: try arguments.number(1, "longitude"))
                if arguments[2] != .nil { place.accuracyMetres = try arguments.number(2, "accuracyMetres") }
                guard place.isValid else {
                    throw ScriptArgumentError(
                        method: "move", parameter: "latitude and longitude", expected: "a place on earth",
                        found: "\(place.latitude), \(place.longitude), \(place.accuracyMetres) m")
                }
                self.send(place)
                return .nil
            }
        ]
    }
}
