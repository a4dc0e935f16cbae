import GlassBase
package import GlassSchema

/// The results of a script's tests.
package struct ScriptReport: Sendable, Equatable {
    /// One test of a script.
    package struct Test: Sendable, Equatable {
        /// The name that the script gave it; of a case, with the case's name.
        package let name: String
        /// Why it failed; nil when it passed.
        package let failure: ScriptFailure?
        /// How long it took by the clock.
        package let duration: Duration

        /// The bytes of its texts as they are shown, and some for what stands between them.
        var byteCount: Int { 100 + DisplayText(name).byteCount + (failure?.byteCount ?? 0) }
    }

    /// The tests in the order in which they ran.
    package var tests: [Test] = []
    /// How many tests the filter left out.
    package var skipped = 0

    /// How many tests passed.
    package var passed: Int { tests.count { $0.failure == nil } }
    /// How many tests failed.
    package var failed: Int { tests.count - passed }
}

/// An error that a script did not catch.
package struct ScriptFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong.
    package let message: String
    /// Where; nil when the error has no place.
    package let place: SourcePosition?
    /// The line that the place is in; nil when the error has no place, or one in a line that its file does not have.
    package let line: SourceLine?
    /// What to do, where there is something to say.
    package let hint: String?
    /// Whether the place is only near the one that failed, as after running out of memory.
    package let isApproximate: Bool
    /// The calls that led there, innermost first.
    package let traceback: [String]

    /// `file:line`, with the column where one is known; nil when the error has no place.
    package var position: String? { place.map { $0.description + (isApproximate ? " (approximately)" : "") } }

    /// The bytes of its texts as they are shown, and some for what stands between them.
    ///
    /// A character that is written out takes up to eight times its bytes, so counting those would be no bound.
    var byteCount: Int {
        100 + DisplayText(message).byteCount + (line.map { DisplayText($0.text).byteCount } ?? 0)
            + (place.map { DisplayText($0.file).byteCount } ?? 0) + (hint.map { DisplayText($0).byteCount } ?? 0)
            + traceback.reduce(0) { $0 + DisplayText($1).byteCount + 20 }
    }

    /// The place and the message on the first line, then what to do and the calls.
    package var description: String {
        let hints = hint.map { ["  hint: \($0)"] } ?? []
        return ([(position.map { "\($0): " } ?? "") + message] + hints + traceback.map { "    \($0)" })
            .joined(separator: "\n")
    }
}
