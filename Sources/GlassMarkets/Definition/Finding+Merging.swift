import GlassSchema

extension FindingCode {
    /// What a market can only be told when everything that it extends is there.
    static let needingBase: Set<FindingCode> = [.missingKey, .misplacedWord, .inconsistent]
}
