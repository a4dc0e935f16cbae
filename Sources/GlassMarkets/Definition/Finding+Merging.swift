import GlassSchema

extension FindingCode {
    /// What a market can only be told when everything that it extends is there.
    static let needingBase: Set<FindingCode> = [.missingKey, .misplacedDirective, .inconsistent]
    /// The same of its routables: a base may say what they do, and what they wait for.
    static let routablesNeedingBase: Set<FindingCode> = needingBase.union([.unknownRoutable, .unknownPrecondition])
}
