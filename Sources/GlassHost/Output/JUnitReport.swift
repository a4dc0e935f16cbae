import GlassBase
import GlassMarketFiles
import GlassMarkets

/// Script tests as the XML that CI systems read: a suite for each file, a case for each test.
///
/// There is no standard; this uses what the readers of Jenkins and GitLab have in common.
struct JUnitReport {
    let suites: [(file: String, run: ScriptRun)]

    /// The document, ending with a line break.
    var text: DisplayText {
        let tests = suites.flatMap(\.run.report.tests)
        let errors = suites.count { $0.run.failure != nil }
        let all = attributes([
            ("tests", "\(tests.count + errors)"), ("failures", "\(tests.count { $0.failure != nil })"),
            ("errors", "\(errors)"), ("time", seconds(tests)),
        ])
        let body = suites.map { suite(file: $0.file, $0.run) }.joined()
        return DisplayText(
            lines: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites\(all)>\n\(body)</testsuites>\n")
    }

    private func suite(file: String, _ run: ScriptRun) -> String {
        let tests = run.report.tests
        let errors = run.failure == nil ? 0 : 1
        let head = attributes([
            ("name", file), ("tests", "\(tests.count + errors)"), ("failures", "\(tests.count { $0.failure != nil })"),
            ("errors", "\(errors)"), ("skipped", "0"), ("time", seconds(tests)),
        ])
        var cases = tests.map { test in
            let head = attributes([("name", test.name), ("classname", file), ("time", seconds([test]))])
            guard let failure = test.failure else { return "    <testcase\(head)/>\n" }
            return "    <testcase\(head)>\n\(element("failure", failure))    </testcase>\n"
        }
        if let failure = run.failure {
            let head = attributes([("name", "the script runs to its end"), ("classname", file), ("time", "0.000")])
            cases.append("    <testcase\(head)>\n\(element("error", failure))    </testcase>\n")
        }
        return "  <testsuite\(head)>\n\(cases.joined())  </testsuite>\n"
    }

    private func element(_ name: String, _ failure: ScriptFailure) -> String {
        let excerpt = SourceExcerpt(failure).map { "\n\($0.lines(width: 120).plain)" } ?? ""
        let hint = failure.hint.map { "\nhint: \($0)" } ?? ""
        let text = ([(failure.position.map { "\($0): " } ?? "") + failure.message + excerpt + hint] + failure.traceback)
            .joined(separator: "\n")
        return "      <\(name)\(attributes([("message", failure.message)]))>\(text.xmlText)</\(name)>\n"
    }

    private func attributes(_ pairs: [(String, String)]) -> String {
        pairs.map { " \($0)=\"\($1.xmlText)\"" }.joined()
    }

    private func seconds(_ tests: [ScriptReport.Test]) -> String {
        let milliseconds = tests.reduce(Duration.zero) { $0 + $1.duration } / .milliseconds(1)
        let whole = Int(milliseconds.rounded())
        let fraction = "\(whole % 1000)"
        return "\(whole / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
