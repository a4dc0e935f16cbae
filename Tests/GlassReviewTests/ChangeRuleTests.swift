import GlassReview
import Testing

struct ChangeRuleTests {
    @Test(arguments: ChangeRule.allCases)
    func eachRuleHasItsMirrorOrAReason(_ rule: ChangeRule) {
        switch rule.mirror {
        case .rule(let other):
            #expect(other != rule)
            #expect(other.mirror == .rule(rule))
            // Of two opposites at most one is bad news.
            #expect(min(rule.severity, other.severity) == .note)
            #expect(rule.concernsPrivacy == other.concernsPrivacy)
        case .itself: break
        case .none(let reason): #expect(!reason.isEmpty)
        }
    }

    @Test(arguments: ChangeRule.allCases)
    func eachRuleHasASubjectAWordAndASentence(_ rule: ChangeRule) {
        #expect(rule.rawValue.split(separator: ".").count == 2)
        #expect(rule.summary.hasSuffix("."))
    }
}
