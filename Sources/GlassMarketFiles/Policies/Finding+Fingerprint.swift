import GlassMarkets
package import GlassSchema

extension Finding {
    /// 12 hexadecimal digits that say which finding it is: the same wherever its line moves, and whatever folder it is
    /// looked at from. Findings that differ in nothing but their lines have the same.
    package var fingerprint: String {
        let file = position.map { String($0.file.split(separator: "/").last ?? "") } ?? ""
        // A message names other places with their lines.
        let text = message.replacing(/\.lua:[0-9]+(:[0-9]+)?/, with: ".lua")
        var digest = SHA256Digest()
        // A length before each, so that no two lists of texts are the same bytes.
        for part in [rule, file, path.description, text] {
            digest.update(Array("\(part.utf8.count):\(part)".utf8))
        }
        return String(digest.hexadecimal().prefix(12))
    }
}
