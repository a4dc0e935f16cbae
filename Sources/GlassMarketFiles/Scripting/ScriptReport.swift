import GlassBase
package import GlassSchema

/// The results of a script's tests.
package struct ScriptReport: Sendable, Equatable {
    /// One test of a script.
    package struct Test: Sendable, Equatable {
        /// The name that the script gave it; for a case, with the name of the case.
        package let name: String
        /// The failure; nil if the test passed.
        package let failure: ScriptFailure?
        /// The elapsed time.
        package let duration: Duration

        /// The size of its texts as they are shown, in bytes, including an estimate for the text between them.
        var byteCount: Int { 100 + DisplayText(name).byteCount + (failure?.byteCount ?? 0) }
    }

    /// The tests in the order in which they ran.
    package var tests: [Test] = []
    /// The number of tests that the filter excluded.
    package var skipped = 0

    /// The number of tests that passed.
    package var passed: Int { tests.count { $0.failure == nil } }
    /// The number of tests that failed.
    package var failed: Int { tests.count - passed }
}

/// An error that a script did not catch.
package struct ScriptFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The message of the error.
    package let message: String
    /// The position; nil if the error has none.
    package let place: SourcePosition?
    /// The line of the position; nil if the error has no position, or one in a line that its file does not have.
    package let line: SourceLine?
    /// The hint, if there is one.
    package let hint: String?
    /// Whether the position is only near the actual one, for example after memory ran out.
    package let isApproximate: Bool
    /// The calls that led to the error, innermost first.
    package let traceback: [String]

    /// Creates a failure.
    package init(
        message: String, place: SourcePosition?, line: SourceLine? = nil, hint: String? = nil,
        isApproximate: Bool = false, traceback: [String] = []
    ) {
        self.message = message
        self.place = place
        self.line = line
        self.hint = hint
        self.isApproximate = isApproximate
        self.traceback = traceback
    }

    /// `file:line`, with the column if it is known; nil if the error has no position.
    package var position: String? { place.map { $0.description + (isApproximate ? " (approximately)" : "") } }

    /// The size of its texts as they are shown, in bytes, including an estimate for the text between them.
    ///
    /// An escaped character takes up to eight times its bytes, so the number of the original bytes would not be an
    /// upper bound.
    var byteCount: Int {
        100 + DisplayText(message).byteCount + (line.map { DisplayText($0.text).byteCount } ?? 0)
            + (place.map { DisplayText($0.file).byteCount } ?? 0) + (hint.map { DisplayText($0).byteCount } ?? 0)
            + traceback.reduce(0) { $0 + DisplayText($1).byteCount + 20 }
    }

    /// The position and the message on the first line, followed by the hint and the calls.
    package var description: String {
        let hints = hint.map { ["  hint: \($0)"] } ?? []
        return ([(position.map { "\($0): " } ?? "") + message] + hints + traceback.map { "    \($0)" })
            .joined(separator: "\n")
    }
}
