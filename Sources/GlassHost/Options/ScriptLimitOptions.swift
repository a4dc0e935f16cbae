import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import LuaBridge

/// The limits of a script.
struct ScriptLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The maximum CPU time and elapsed time of a script, in seconds.", valueName: "seconds"))
    var timeout = 30.0

    @Option(help: ArgumentHelp("The maximum memory that a script can use, in megabytes.", valueName: "megabytes"))
    var memory = 256

    /// The limits.
    var limits: LuaLimits { ScriptRunner.limits(seconds: timeout, megabytes: memory) }

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout takes more than 0 and at most 86400 seconds, got \(timeout)")
        }
        guard (1...65_536).contains(memory) else {
            throw ValidationError("--memory takes 1 to 65536 megabytes, got \(memory)")
        }
    }
}
