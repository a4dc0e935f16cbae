import GlassSchema

extension FindingCode {
    /// What a market can only be told when everything that it extends is there.
    static let needingBase: Set<FindingCode> = [.missingKey, .misplacedWord, .inconsistent]
}

extension [Finding] {
    /// Appends findings, without those that repeat an earlier one in other words.
    ///
    /// - Parameters:
    ///   - found: The findings to append. One for a key that has an error already is left out: a value that could not
    ///     be read is also of the wrong type.
    ///   - codes: Rules whose findings are left out.
    mutating func append(new found: [Finding], leavingOut codes: Set<FindingCode>) {
        let known = Set(filter { $0.severity == .error && !$0.path.elements.isEmpty }.map(\.path))
        self += found.filter { !known.contains($0.path) && !codes.contains($0.code) }
    }
}
