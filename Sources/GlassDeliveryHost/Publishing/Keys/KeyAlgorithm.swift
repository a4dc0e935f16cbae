import Foundation

/// The kinds of keys that can sign metadata. Phones can verify them, and key services and hardware tokens offer them.
enum KeyAlgorithm: String, Sendable, CaseIterable, Equatable {
    /// Ed25519 (RFC 8032).
    case ed25519
    /// ECDSA with the curve P-256 and SHA-256 (FIPS 186-5).
    case p256

    /// The `keytype` of its keys in metadata (specification 1.0, section 4.2).
    var keyType: String {
        switch self {
        case .ed25519: "ed25519"
        case .p256: "ecdsa"
        }
    }

    /// The `scheme` of its keys in metadata.
    var scheme: String {
        switch self {
        case .ed25519: "ed25519"
        case .p256: "ecdsa-sha2-nistp256"
        }
    }

    /// `id-Ed25519` (RFC 8410, section 3).
    private static let ed25519Identifier: [UInt8] = [0x2B, 0x65, 0x70]
    /// `id-ecPublicKey` and `secp256r1` (RFC 5480, section 2.1.1).
    private static let ellipticIdentifier: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    private static let p256Identifier: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]

    /// Reads the `AlgorithmIdentifier` of a key file.
    init?(identifier content: [UInt8]) {
        var reader = DERReader(content)
        switch reader.next(.objectIdentifier) {
        case Self.ed25519Identifier: self = .ed25519
        case Self.ellipticIdentifier where reader.next(.objectIdentifier) == Self.p256Identifier: self = .p256
        default: return nil
        }
    }

    /// The supported kinds, for error messages.
    static let supported = "Ed25519 and ECDSA P-256"
}

/// A block of a PEM file (RFC 7468).
struct PEMBlock {
    /// The label of the block, such as `PRIVATE KEY`.
    let label: String
    /// The decoded content.
    let content: [UInt8]

    init(label: String, content: [UInt8]) {
        self.label = label
        self.content = content
    }

    /// Parses the first block of a text.
    init?(reading text: String) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
        guard let start = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") && $0.hasSuffix("-----") }) else {
            return nil
        }
        label = String(lines[start].dropFirst("-----BEGIN ".count).dropLast("-----".count))
        let rest = lines[(start + 1)...]
        guard let end = rest.firstIndex(of: "-----END \(label)-----"),
            let data = Data(base64Encoded: rest[..<end].joined())
        else { return nil }
        content = Array(data)
    }

    /// The text of the block, with a final line break.
    var text: String {
        let encoded = Array(Data(content).base64EncodedString())
        let lines = stride(from: 0, to: encoded.count, by: 64).map { String(encoded[$0..<min($0 + 64, encoded.count)]) }
        return "-----BEGIN \(label)-----\n\(lines.joined(separator: "\n"))\n-----END \(label)-----\n"
    }
}
