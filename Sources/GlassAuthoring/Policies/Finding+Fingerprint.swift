import GlassMarkets
package import GlassSchema

extension Finding {
    /// 12 hexadecimal digits that identify the finding. They stay the same when its line moves, when a later version
    /// rewords its message, and when the command runs in another folder. They are computed from the rule, the file
    /// name, the key, the offending text, ``subject`` and the files of related positions; for a policy, from its
    /// message instead of the last three. Findings that differ only in their lines share a fingerprint.
    package var fingerprint: String {
        // A policy's message is the team's own text, which no release of this program rewords, and the only difference
        // between two denials at one position.
        guard policy == nil else { return messageFingerprint }
        let others = related.filter(\.isOfFingerprint).map { Self.name($0.position) }
        return Self.digest(["2", rule, Self.name(position), path.description, subject, offendingText] + others)
    }

    /// The fingerprint of the rule, the file name, the key, and the message. There are two because an `accept` and the
    /// alerts of code scanning (`glassHost/v1`) may name this one; it applies as long as the message is unchanged.
    package var messageFingerprint: String {
        // A message contains other positions with their lines.
        let text = message.replacing(/\.lua:[0-9]+(:[0-9]+)?/, with: ".lua")
        return Self.digest([rule, Self.name(position), path.description, text])
    }

    /// The text at the position in the file, as far as ``line`` contains it; empty if something is missing.
    private var offendingText: String {
        guard let line else { return "" }
        guard let position, let start = position.column, let column = line.column, let end, let last = end.column,
            end.file == position.file
        else { return line.text.trimmed }
        let rest = line.text.unicodeScalars.dropFirst(column - 1)
        // If the text spans several lines, the first line is enough to identify it.
        if end.line > position.line { return String(rest).trimmed }
        return String(rest.prefix(end.line < position.line ? 0 : max(0, last - start)))
    }

    /// The file of a position without its folder.
    private static func name(_ position: SourcePosition?) -> String {
        position.map { String($0.file.split(separator: "/").last ?? "") } ?? ""
    }

    private static func digest(_ parts: [String]) -> String {
        var digest = SHA256Digest()
        // Each part is preceded by its length, so that two different lists never produce the same bytes.
        for part in parts { digest.update(Array("\(part.utf8.count):\(part)".utf8)) }
        return String(digest.hexadecimal().prefix(12))
    }
}

extension String {
    fileprivate var trimmed: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }
}
