import GlassBase
import GlassMarketFiles

extension Duration {
    /// The duration in milliseconds, rounded to microseconds.
    var milliseconds: Double { (self / .microseconds(1)).rounded() / 1000 }
}

extension Console {
    /// A script's error: its position and message, the source line, and the calls that led to it.
    func text(of failure: ScriptFailure) -> DisplayText {
        var lines: [DisplayText] = [(failure.position.map { "\($0): " } ?? "") + DisplayText(lines: failure.message)]
        if let excerpt = SourceExcerpt(failure) { lines.append(excerpt.lines(width: width ?? 120)) }
        if let hint = failure.hint { lines.append("  hint: \(hint)") }
        return (lines + failure.traceback.map { "    \($0)" as DisplayText }).joined(separator: "\n")
    }

    /// Prints the tests of a script; only those that failed if the user wants less output.
    func print(_ tests: [ScriptReport.Test]) {
        for test in tests {
            let time: DisplayText = isVerbose ? "\("  \(test.duration.milliseconds) ms", .dim)" : ""
            if let failure = test.failure {
                result("\("FAIL", .red) \(test.name)\(time)\n\(text(of: failure).indented(by: 5))")
            } else if !isQuiet {
                result("\("ok", .green)   \(test.name)\(time)")
            }
        }
    }
}
