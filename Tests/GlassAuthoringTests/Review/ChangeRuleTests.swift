@testable import GlassAuthoring
import Testing

struct ChangeRuleTests {
    @Test(arguments: ChangeRule.allCases)
    func everyRuleHasInverseOrReason(_ rule: ChangeRule) {
        switch rule.mirror {
        case .rule(let other):
            #expect(other != rule)
            #expect(other.mirror == .rule(rule))
            // Of two inverse rules, at most one reports a regression.
            #expect(min(rule.severity, other.severity) == .note)
            #expect(rule.concernsPrivacy == other.concernsPrivacy)
        case .itself: break
        case .none(let reason): #expect(!reason.isEmpty)
        }
    }

    @Test(arguments: ChangeRule.allCases)
    func everyRuleHasSubjectVerbAndSentence(_ rule: ChangeRule) {
        #expect(rule.rawValue.split(separator: ".").count == 2)
        #expect(rule.summary.hasSuffix("."))
    }
}
