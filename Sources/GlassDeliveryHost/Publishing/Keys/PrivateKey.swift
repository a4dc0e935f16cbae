import Crypto
import Foundation

/// A key that signs metadata, kept in memory only while a command runs.
///
/// Its file is unencrypted PKCS#8 in PEM, the format that `openssl genpkey` writes and securesystemslib's `file2:`
/// reads.
enum PrivateKey: Sendable {
    /// Ed25519.
    case ed25519(Curve25519.Signing.PrivateKey)
    /// ECDSA P-256.
    case p256(P256.Signing.PrivateKey)

    /// Generates a new key.
    init(new algorithm: KeyAlgorithm) {
        switch algorithm {
        case .ed25519: self = .ed25519(Curve25519.Signing.PrivateKey())
        case .p256: self = .p256(P256.Signing.PrivateKey())
        }
    }

    /// The `PrivateKeyInfo` of an Ed25519 key without its 32 bytes (RFC 8410, section 7).
    private static let ed25519Prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    /// Decodes a key.
    init(_ block: PEMBlock) throws(KeyFormatError) {
        switch block.label {
        case "PRIVATE KEY": break
        case "ENCRYPTED PRIVATE KEY":
            throw KeyFormatError("is encrypted; sign with --signer, or decrypt it with openssl pkcs8 -in FILE -out NEW")
        case "PUBLIC KEY": throw KeyFormatError("is a public key, which cannot sign")
        case "EC PRIVATE KEY", "RSA PRIVATE KEY":
            throw KeyFormatError("is not PKCS#8; convert it with openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW")
        default: throw KeyFormatError("contains a \(block.label.lowercased()), not a private key")
        }
        var file = DERReader(block.content)
        guard let sequence = file.next(.sequence), file.isAtEnd else { throw KeyFormatError("is damaged") }
        var info = DERReader(sequence)
        // Version 1 of the format (RFC 5958) appends the public key, which is computed here anyway.
        guard let version = info.next(.integer), version == [0] || version == [1],
            let identifier = info.next(.sequence), let secret = info.next(.octetString)
        else { throw KeyFormatError("is damaged") }
        do {
            switch KeyAlgorithm(identifier: identifier) {
            case .ed25519:
                var inner = DERReader(secret)
                guard let seed = inner.next(.octetString) else { throw KeyFormatError("is damaged") }
                self = .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: seed))
            case .p256: self = .p256(try P256.Signing.PrivateKey(derRepresentation: block.content))
            case nil: throw KeyFormatError("is of an unsupported kind; supported are \(KeyAlgorithm.supported)")
            }
        } catch let error as KeyFormatError {
            throw error
        } catch {
            throw KeyFormatError("is damaged")
        }
    }

    /// The text of a PEM file with this key.
    var pem: String {
        switch self {
        case .ed25519(let key):
            PEMBlock(label: "PRIVATE KEY", content: Self.ed25519Prefix + key.rawRepresentation).text
        case .p256(let key): PEMBlock(label: "PRIVATE KEY", content: Array(key.derRepresentation)).text
        }
    }

    /// The public key.
    var publicKey: MetadataKey {
        switch self {
        case .ed25519(let key): MetadataKey(key.publicKey)
        case .p256(let key): MetadataKey(key.publicKey)
        }
    }

    /// Signs bytes.
    func signature(for bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .ed25519(let key): Array(try key.signature(for: bytes))
        case .p256(let key): Array(try key.signature(for: bytes).derRepresentation)
        }
    }
}

/// The reason why a key file cannot be used. The phrase follows the name of the file.
struct KeyFormatError: Error, Equatable {
    let phrase: String

    init(_ phrase: String) {
        self.phrase = phrase
    }
}
