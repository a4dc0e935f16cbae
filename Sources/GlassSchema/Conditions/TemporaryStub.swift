package struct ConditionBox: Sendable, Hashable { package func meet(_ other: ConditionBox) -> ConditionBox? { self } }
package struct ConditionLimit: Error, CustomStringConvertible { package var description: String { "" } }
package struct ConditionSpace: Sendable {
    package enum Answer { case found(ConditionBox), none, gaveUp }
    package init(attributes: [ContextAttribute], conditions: [Condition]) throws(ConditionLimit) {}
    package func boxes(of c: Condition) -> [ConditionBox] { [] }
    package func context(in box: ConditionBox) -> MarketContext { MarketContext() }
    package func witness(in box: ConditionBox, outside: [ConditionBox]) -> Answer { .gaveUp }
}
extension SectionDeclaration { package func pace(at path: ConfigurationPath) -> ContextPace { .live } }
package enum LocaleMatch { package static func best(of offered: [String], for wanted: [String]) -> String { offered[0] } }
