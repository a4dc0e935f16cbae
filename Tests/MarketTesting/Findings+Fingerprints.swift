import GlassAuthoring
import GlassSchema

extension [Finding] {
    /// The findings of each file that share a fingerprint, as text. An acceptance for one finding must not match another:
    /// findings that had different fingerprints when these included the message still do.
    package var sharedFingerprints: [String] {
        Dictionary(grouping: self) { $0.position?.file }.flatMap { file, findings in
            Dictionary(grouping: findings, by: \.fingerprint).values.compactMap { several in
                guard Set(several.map(\.messageFingerprint)).count > 1 else { return nil }
                return "\(file ?? "") has one fingerprint for\n\(several.map(\.description).joined(separator: "\n"))"
            }
        }
    }
}
