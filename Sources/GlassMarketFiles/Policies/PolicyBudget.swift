import GlassBase

/// What the policies of a command may use together, whatever their number: a folder of others may hold any.
final class PolicyBudget: Sendable {
    private struct Left {
        var cpuTime: Duration
        var cpuTimeOfVerdicts = PolicyBudget.cpuTimeOfVerdicts
        var output: Int
        var denials: Int
        var denied = PolicyBudget.bytesOfDenials
        var limitsMet = 0
        var exhausted: String?
    }

    /// Processor time, and what each market or each list of changes adds to it. A debug build has more, as for Lua.
    static let cpuTime = Duration.milliseconds(700) * BuildSpeed.slowdownOfLua
    private static let cpuTimeOfAVerdict = Duration.milliseconds(50) * BuildSpeed.slowdownOfLua
    /// What all of these add together, so that a folder of many markets is no way around the time of the command.
    private static let cpuTimeOfVerdicts = Duration.milliseconds(500) * BuildSpeed.slowdownOfLua
    /// Bytes that are printed.
    private static let output = 64 << 10
    private static let denials = 10_000
    /// Bytes of the keys and texts of denials.
    private static let bytesOfDenials = 1 << 20
    /// How often a policy or a file may meet a limit. Each time costs a Lua state, which no time of a policy counts.
    private static let maximumLimitsMet = 20

    private let left: Lock<Left>

    /// Creates a budget with that much time.
    init(cpuTime: Duration = PolicyBudget.cpuTime) {
        left = Lock(Left(cpuTime: cpuTime, output: Self.output, denials: Self.denials))
    }

    /// What is used up, as a sentence; nil while nothing is.
    var exhausted: String? {
        left.withLock { left in
            left.exhausted
                ?? (left.cpuTime > .zero
                    ? nil : "the policies of a command have used the processor time that they have together")
        }
    }

    /// The processor time that is left.
    var timeLeft: Duration { left.withLock { max(.zero, $0.cpuTime) } }

    /// Adds the time for one more thing to be judged.
    func beginVerdict() {
        left.withLock { left in
            let time = min(Self.cpuTimeOfAVerdict, left.cpuTimeOfVerdicts)
            left.cpuTimeOfVerdicts -= time
            left.cpuTime += time
        }
    }

    /// Takes processor time that was used.
    func spend(_ time: Duration) { left.withLock { $0.cpuTime -= time } }

    /// Takes note of a Lua state that a limit ended.
    func noteLimit() {
        left.withLock { left in
            left.limitsMet += 1
            guard left.limitsMet >= Self.maximumLimitsMet else { return }
            left.exhausted =
                left.exhausted ?? "the policies of a command have met a limit \(Self.maximumLimitsMet) times together"
        }
    }

    /// Takes a denial with so many bytes of text.
    func spendDenial(bytes: Int) throws {
        let isLeft = left.withLock { left in
            left.denials -= 1
            left.denied -= bytes
            if left.denials < 0 {
                left.exhausted = "the policies of a command may deny \(Self.denials.grouped) things together"
            } else if left.denied < 0 {
                left.exhausted =
                    "what the policies of a command deny may have \(Self.bytesOfDenials.formattedBytes) of text together"
            }
            return left.denials >= 0 && left.denied >= 0
        }
        if !isLeft { throw ScriptAssertion(exhausted ?? "") }
    }

    /// As much of what a policy prints as may be shown; what is too much ends with one line that says so.
    func shown(_ text: String) -> String? {
        left.withLock { left in
            guard left.output > 0 else { return nil }
            left.output -= text.utf8.count
            return left.output > 0
                ? text : "what policies print beyond \(Self.output / 1024) KB is left out\n"
        }
    }
}
