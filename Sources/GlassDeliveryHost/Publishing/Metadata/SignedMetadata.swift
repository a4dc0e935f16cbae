import GlassBase
import GlassDelivery

/// A metadata file: the signed part and its signatures, which may be too few.
struct SignedMetadata: Sendable, Equatable {
    /// A signature.
    struct Signature: Sendable, Equatable {
        /// The key's id.
        let keyID: String
        /// The signature in hexadecimal digits.
        let signature: String
    }

    /// The signed part.
    let signed: StrictJSON
    /// The signatures.
    var signatures: [Signature]

    /// Creates a file without signatures.
    init(_ signed: StrictJSON) {
        self.signed = signed
        signatures = []
    }

    /// Decodes a file. Its signatures are not verified.
    init(reading bytes: [UInt8], _ name: String) throws(PublishingError) {
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: bytes, limit: Self.maximumBytes)
        } catch {
            throw .impossible("\(name):\(error)")
        }
        guard let signed = json["signed"], let list = json["signatures"]?.arrayValue, signed["_type"] != nil else {
            throw .impossible("\(name) is not metadata: it lacks the members `signed` and `signatures`")
        }
        self.signed = signed
        signatures = list.compactMap { entry in
            guard let id = entry["keyid"]?.stringValue, let text = entry["sig"]?.stringValue else { return nil }
            return Signature(keyID: id, signature: text)
        }
    }

    /// The maximum size in bytes: the size of the largest file that a client accepts.
    static let maximumBytes = 1 << 20

    /// The encoded file. The same content and signatures result in the same bytes.
    var bytes: [UInt8] {
        let list = signatures.map { signature in
            StrictJSON.object([("keyid", .string(signature.keyID)), ("sig", .string(signature.signature))])
        }
        return StrictJSON.object([("signatures", .array(list)), ("signed", signed)]).text()
    }

    /// The version; 0 if it is missing.
    var version: Int { signed["version"]?.intValue ?? 0 }

    /// The expiration time, as written.
    var expires: String { signed["expires"]?.stringValue ?? "" }
}

extension StrictJSON {
    /// An object without members.
    static let empty = StrictJSON.object([Member]())

    /// An integer.
    static func integer(_ value: Int) -> StrictJSON { .integer(Integer(value)) }

    /// The object with some members added, replaced, or, if `nil`, removed.
    func replacing(_ members: [(String, StrictJSON?)]) -> StrictJSON {
        let kept = (self.members ?? []).filter { own in !members.contains { $0.0.hasSameUTF8(as: own.key) } }
        return .object(
            kept.map { ($0.key, $0.value) }
                + members.compactMap { name, value in value.map { (name, $0) } })
    }
}
