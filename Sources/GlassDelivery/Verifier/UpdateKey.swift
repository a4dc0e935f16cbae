import Crypto

/// A public key of a role: Ed25519, or ECDSA with P-256 and SHA-256, in the form used in metadata (specification 1.0,
/// section 4.2). A key of another kind or an invalid key is kept but never verifies anything, so that a root can list
/// such a key next to valid ones.
package struct UpdateKey: Sendable, Equatable {
    /// The kind of key, such as `ed25519`.
    package let type: String
    /// The signature scheme, such as `ed25519`.
    package let scheme: String
    /// The public key: hexadecimal digits for Ed25519, PEM for ECDSA.
    package let publicKey: String

    /// Reads a key.
    init(_ fields: MetadataFields) throws(MetadataError) {
        type = try fields.string("keytype")
        scheme = try fields.string("scheme")
        publicKey = try fields.object("keyval").string("public")
    }

    /// The usable key, or `nil` if it is of another kind or invalid.
    var verifying: VerifyingKey? {
        switch (type, scheme) {
        case ("ed25519", "ed25519"):
            guard let bytes = [UInt8](hexadecimal: publicKey),
                // The only error is that the bytes are not a key.
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
            else { return nil }
            return .ed25519(key, bytes)
        case ("ecdsa", "ecdsa-sha2-nistp256"), ("ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256"):
            // As above.
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: publicKey) else { return nil }
            return .p256(key, Array(key.x963Representation))
        default: return nil
        }
    }
}

/// A key that can verify signatures. Its bytes identify it, regardless of its id and encoding.
enum VerifyingKey {
    case ed25519(Curve25519.Signing.PublicKey, [UInt8])
    case p256(P256.Signing.PublicKey, [UInt8])

    /// The bytes of the key.
    var identity: [UInt8] {
        switch self {
        case .ed25519(_, let bytes), .p256(_, let bytes): bytes
        }
    }

    /// Whether a signature of a message was made with this key.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch self {
        case .ed25519(let key, _): return key.isValidSignature(signature, for: message)
        case .p256(let key, _):
            // The only error is that the bytes are not a signature.
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: message)
        }
    }
}

extension [UInt8] {
    /// Decodes hexadecimal digits. Returns `nil` for other characters or an odd number of digits.
    package init?(hexadecimal: String) {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self.init()
        reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Character(Unicode.Scalar(digits[index])).hexDigitValue,
                let low = Character(Unicode.Scalar(digits[index + 1])).hexDigitValue
            else { return nil }
            append(UInt8(high << 4 | low))
        }
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in self {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
