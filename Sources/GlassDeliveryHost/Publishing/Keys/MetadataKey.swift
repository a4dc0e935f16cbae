import Crypto
import Foundation
import GlassBase
import GlassDelivery

/// A public key in the form that metadata lists (specification 1.0, section 4.2).
struct MetadataKey: Sendable, Hashable {
    /// The kind of the key.
    let algorithm: KeyAlgorithm
    /// The member `public` of `keyval`: 64 hexadecimal digits for an Ed25519 key, PEM for an ECDSA key.
    let text: String

    /// The key's object in metadata.
    var json: StrictJSON {
        .object([
            ("keytype", .string(algorithm.keyType)),
            ("keyval", .object([("public", .string(text))])),
            ("scheme", .string(algorithm.scheme)),
        ])
    }

    /// The key's id: the SHA-256 digest of its object's canonical form, as computed by python-tuf and others.
    var id: String { json.canonical().sha256 }

    /// Decodes a key's object.
    init?(_ json: StrictJSON) {
        guard let text = json["keyval"]?["public"]?.stringValue,
            let algorithm = KeyAlgorithm.allCases.first(where: {
                json["keytype"]?.stringValue == $0.keyType && json["scheme"]?.stringValue == $0.scheme
            })
        else { return nil }
        self.init(algorithm: algorithm, text: text)
        guard verifier != nil else { return nil }
    }

    /// Decodes a public key from a PEM block (`SubjectPublicKeyInfo`, RFC 5480 and 8410).
    init?(_ block: PEMBlock) {
        var file = DERReader(block.content)
        guard block.label == "PUBLIC KEY", let sequence = file.next(.sequence) else { return nil }
        var key = DERReader(sequence)
        guard let identifier = key.next(.sequence), let algorithm = KeyAlgorithm(identifier: identifier),
            // The first byte of a bit string is the number of unused bits in its last byte.
            let bits = key.next(.bitString), bits.first == 0
        else { return nil }
        switch algorithm {
        case .ed25519:
            guard bits.count == 33 else { return nil }
            self.init(algorithm: .ed25519, text: bits.dropFirst().hexadecimal)
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: bits.dropFirst()) else {
                return nil  // the only error is that the bytes are not a point on the curve
            }
            self.init(key)
        }
    }

    init(_ key: Curve25519.Signing.PublicKey) {
        self.init(algorithm: .ed25519, text: key.rawRepresentation.hexadecimal)
    }

    init(_ key: P256.Signing.PublicKey) {
        // Ends with a line break, like the output of Python's cryptography package, because the key's id covers these
        // bytes.
        let text = PEMBlock(label: "PUBLIC KEY", content: Array(key.derRepresentation)).text
        self.init(algorithm: .p256, text: text)
    }

    private init(algorithm: KeyAlgorithm, text: String) {
        self.algorithm = algorithm
        self.text = text
    }

    /// The text of a PEM file with this key.
    var pem: String {
        switch algorithm {
        case .p256: text
        case .ed25519:
            // The SubjectPublicKeyInfo of an Ed25519 key without the key itself (RFC 8410, section 4).
            PEMBlock(
                label: "PUBLIC KEY",
                content: [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
                    + ([UInt8](hexadecimal: text) ?? [])
            ).text
        }
    }

    /// Whether a signature was made with this key.
    func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        verifier?(signature, bytes) ?? false
    }

    /// Verifies signatures; `nil` if the text is not a valid key.
    private var verifier: (([UInt8], [UInt8]) -> Bool)? {
        switch algorithm {
        case .ed25519:
            guard let raw = [UInt8](hexadecimal: text),
                let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw)  // the only error: not 32 bytes
            else { return nil }
            return { key.isValidSignature($0, for: $1) }
        case .p256:
            guard let key = try? P256.Signing.PublicKey(pemRepresentation: text) else { return nil }  // as above
            return { signature, bytes in
                // Bytes that are not DER are not a signature either.
                guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: bytes)
            }
        }
    }
}

extension [UInt8] {
    /// The SHA-256 digest in 64 hexadecimal digits.
    var sha256: String { Crypto.SHA256.hash(data: self).hexadecimal }
}
