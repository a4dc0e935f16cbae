import GlassBase
import GlassMarketFiles

/// The limits that all policies of a command share. They do not depend on the number of policies, because an untrusted
/// folder may contain any number.
final class PolicyBudget: Sendable {
    private struct Left {
        var cpuTime: Duration
        var cpuTimeOfVerdicts = PolicyBudget.cpuTimeOfVerdicts
        var output: Int
        var denials: Int
        var denied = PolicyBudget.bytesOfDenials
        var limitsMet = 0
        var exhausted: String?
        var isReported = false
    }

    /// The CPU time, and the time that each market or list of changes adds to it. Debug builds have more, as for Lua.
    static let cpuTime = Duration.milliseconds(700) * BuildSpeed.slowdownOfLua
    private static let cpuTimeOfAVerdict = Duration.milliseconds(50) * BuildSpeed.slowdownOfLua
    /// The maximum time that all of these add together, so that a folder of many markets cannot exceed the time of a
    /// command.
    private static let cpuTimeOfVerdicts = Duration.milliseconds(500) * BuildSpeed.slowdownOfLua
    /// The maximum size of printed output, in bytes.
    private static let output = 64 << 10
    private static let denials = 10_000
    /// The maximum size of the keys and texts of denials, in bytes.
    private static let bytesOfDenials = 1 << 20
    /// The maximum number of limits that policies and files may exceed. Each time costs a new Lua state, which no
    /// policy's time includes.
    private static let maximumLimitsMet = 20

    private let left: Lock<Left>

    /// Creates a budget with the given CPU time.
    init(cpuTime: Duration = PolicyBudget.cpuTime) {
        left = Lock(Left(cpuTime: cpuTime, output: Self.output, denials: Self.denials))
    }

    /// The limit that was exceeded, as a sentence; nil if none was.
    var exhausted: String? {
        left.withLock { left in
            left.exhausted
                ?? (left.cpuTime > .zero
                    ? nil : "the policies of a command have used up the CPU time that they share")
        }
    }

    /// Whether this is the first time that a caller reports the exceeded limit.
    func isFirstReport() -> Bool {
        left.withLock { left in
            defer { left.isReported = true }
            return !left.isReported
        }
    }

    /// The remaining CPU time.
    var timeLeft: Duration { left.withLock { max(.zero, $0.cpuTime) } }

    /// Adds the time for another subject to check.
    func beginVerdict() {
        left.withLock { left in
            let time = min(Self.cpuTimeOfAVerdict, left.cpuTimeOfVerdicts)
            left.cpuTimeOfVerdicts -= time
            left.cpuTime += time
        }
    }

    /// Deducts CPU time that was used.
    func spend(_ time: Duration) { left.withLock { $0.cpuTime -= time } }

    /// Records that a limit ended a Lua state.
    func noteLimit() {
        left.withLock { left in
            left.limitsMet += 1
            guard left.limitsMet >= Self.maximumLimitsMet else { return }
            left.exhausted =
                left.exhausted ?? "the policies of a command have exceeded limits \(Self.maximumLimitsMet) times"
        }
    }

    /// Deducts a denial with the given size of its text.
    func spendDenial(bytes: Int) throws {
        let isLeft = left.withLock { left in
            left.denials -= 1
            left.denied -= bytes
            if left.denials < 0 {
                left.exhausted = "the policies of a command may have at most \(Self.denials.grouped) denials together"
            } else if left.denied < 0 {
                left.exhausted =
                    "the denials of a command's policies may have at most \(Self.bytesOfDenials.formattedBytes) of text"
            }
            return left.denials >= 0 && left.denied >= 0
        }
        if !isLeft { throw ScriptAssertion(exhausted ?? "") }
    }

    /// The part of a policy's output that may be shown. Output beyond the limit is replaced with one line that says so.
    func shown(_ text: String) -> String? {
        left.withLock { left in
            guard left.output > 0 else { return nil }
            left.output -= text.utf8.count
            return left.output > 0
                ? text : "output of policies beyond \(Self.output / 1024) KB is omitted\n"
        }
    }
}
