import Crypto
import Foundation
package import GlassBase
import GlassDelivery

/// A public key as metadata lists it (specification 1.0, section 4.2).
package struct MetadataKey: Sendable, Hashable {
    /// What kind of a key it is.
    package let algorithm: KeyAlgorithm
    /// As in `keyval`: 64 hexadecimal digits of an Ed25519 key, the PEM of another.
    package let text: String

    /// The key's object in metadata.
    package var json: StrictJSON {
        .object([
            ("keytype", .string(algorithm.keyType)),
            ("keyval", .object([("public", .string(text))])),
            ("scheme", .string(algorithm.scheme)),
        ])
    }

    /// The key's id: the SHA-256 of its object's canonical form, as python-tuf and others compute it.
    package var id: String { json.canonical().sha256 }

    /// Reads a key's object.
    package init?(_ json: StrictJSON) {
        guard let text = json["keyval"]?["public"]?.stringValue,
            let algorithm = KeyAlgorithm.allCases.first(where: {
                json["keytype"]?.stringValue == $0.keyType && json["scheme"]?.stringValue == $0.scheme
            })
        else { return nil }
        self.init(algorithm: algorithm, text: text)
        guard verifier != nil else { return nil }
    }

    /// Reads a public key from the text of a PEM file (`SubjectPublicKeyInfo`, RFC 5480 and 8410).
    init?(_ block: PEMBlock) {
        var file = DERReader(block.content)
        guard block.label == "PUBLIC KEY", let sequence = file.next(.sequence) else { return nil }
        var key = DERReader(sequence)
        guard let identifier = key.next(.sequence), let algorithm = KeyAlgorithm(identifier: identifier),
            // A bit string begins with how many bits of its last byte do not count.
            let bits = key.next(.bitString), bits.first == 0
        else { return nil }
        switch algorithm {
        case .ed25519:
            guard bits.count == 33 else { return nil }
            self.init(algorithm: .ed25519, text: bits.dropFirst().hexadecimal)
        case .p256:
            guard let key = try? P256.Signing.PublicKey(x963Representation: bits.dropFirst()) else {
                return nil  // the only error there is: no point of the curve
            }
            self.init(key)
        }
    }

    init(_ key: Curve25519.Signing.PublicKey) {
        self.init(algorithm: .ed25519, text: key.rawRepresentation.hexadecimal)
    }

    init(_ key: P256.Signing.PublicKey) {
        // With the line break at the end that python's cryptography writes, because the key's id is over these bytes.
        let text = PEMBlock(label: "PUBLIC KEY", content: Array(key.derRepresentation)).text
        self.init(algorithm: .p256, text: text)
    }

    private init(algorithm: KeyAlgorithm, text: String) {
        self.algorithm = algorithm
        self.text = text
    }

    /// The text of the PEM file with this key.
    var pem: String {
        switch algorithm {
        case .p256: text
        case .ed25519:
            // SubjectPublicKeyInfo of Ed25519, but for the key (RFC 8410, section 4).
            PEMBlock(
                label: "PUBLIC KEY",
                content: [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
                    + ([UInt8](hexadecimal: text) ?? [])
            ).text
        }
    }

    /// Whether a signature is this key's.
    package func isSignature(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
        verifier?(signature, bytes) ?? false
    }

    /// Checks signatures; nil when the text is no key.
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
                // A text that is no DER is no signature either.
                guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else {
                    return false
                }
                return key.isValidSignature(signature, for: bytes)
            }
        }
    }
}

extension [UInt8] {
    /// The SHA-256 as 64 hexadecimal digits.
    package var sha256: String { Crypto.SHA256.hash(data: self).hexadecimal }
}
