package import GlassMarkets
package import GlassPlatform
package import GlassSchema

/// A permission that a test decides in the user's place: from Swift with `set`, from a script with the same word.
package protocol PermissionMock: MachinePermission, ScriptedMock {}

extension PermissionMock {
    /// `set`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "set", ["status", "reason?"], "Decides without asking: notDetermined, granted, denied or restricted."
            ) { arguments in
                let reason = try arguments.optionalString(1, "reason") ?? "the test says so"
                switch try arguments.string(0, "status") {
                case "notDetermined": self.machine.set(.notDetermined)
                case "granted": self.machine.set(.granted)
                case "denied": self.machine.set(.denied(reason: reason))
                case "restricted": self.machine.set(.restricted(reason: reason))
                case let other:
                    throw ScriptArgumentError(
                        method: "set", parameter: "status", expected: "notDetermined, granted, denied or restricted",
                        found: other.quotedForMessage)
                }
                return .nil
            }
        ]
    }
}
