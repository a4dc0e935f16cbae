import GlassSchema

extension FindingCode {
    /// The findings that can be reported about a market only if all of its base markets exist.
    static let needingBase: Set<FindingCode> = [
        .missingKey, .misplacedDirective, .inconsistent, .numbersDisagree,
    ]
    /// The same for its routables: a base market may define what they do, and what they wait for.
    static let routablesNeedingBase: Set<FindingCode> = needingBase.union([.unknownRoutable, .unknownPrecondition])
}
