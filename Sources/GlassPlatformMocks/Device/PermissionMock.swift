package import GlassMarkets
package import GlassPlatform
package import GlassSchema

/// A permission that a test decides instead of the user, with `set` in Swift and in scripts.
package protocol PermissionMock: MachinePermission, ScriptedMock {}

extension PermissionMock {
    /// The mock method `set`.
    public var mockMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "set", ["status", "reason?"],
                "Sets the status without asking: notDetermined, granted, denied or restricted."
            ) { arguments in
                let reason = try arguments.optionalString(1, "reason") ?? "set by the test"
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
