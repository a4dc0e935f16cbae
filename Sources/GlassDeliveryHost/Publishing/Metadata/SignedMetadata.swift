package import GlassBase
import GlassDelivery

/// A metadata file: what is signed, and its signatures, be they enough or not.
package struct SignedMetadata: Sendable, Equatable {
    /// A signature.
    package struct Signature: Sendable, Equatable {
        /// The key's id.
        package let keyID: String
        /// Hexadecimal digits.
        package let signature: String
    }

    /// What is signed.
    package let signed: StrictJSON
    /// The signatures.
    package var signatures: [Signature]

    /// Begins a file that nobody has signed.
    package init(_ signed: StrictJSON) {
        self.signed = signed
        signatures = []
    }

    /// Reads a file. Whether its signatures are good is not looked at.
    package init(reading bytes: [UInt8], _ name: String) throws(PublishingError) {
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: bytes, limit: Self.maximumBytes)
        } catch {
            throw .impossible("\(name):\(error)")
        }
        guard let signed = json["signed"], let list = json["signatures"]?.arrayValue, signed["_type"] != nil else {
            throw .impossible("\(name) is no metadata: it has no members `signed` and `signatures`")
        }
        self.signed = signed
        signatures = list.compactMap { entry in
            guard let id = entry["keyid"]?.stringValue, let text = entry["sig"]?.stringValue else { return nil }
            return Signature(keyID: id, signature: text)
        }
    }

    /// As much as the largest file that a client takes.
    static let maximumBytes = 1 << 20

    /// The file: the same bytes for the same content and signatures.
    package var bytes: [UInt8] {
        let list = signatures.map { signature in
            StrictJSON.object([("keyid", .string(signature.keyID)), ("sig", .string(signature.signature))])
        }
        return StrictJSON.object([("signatures", .array(list)), ("signed", signed)]).text()
    }

    /// Its version; 0 where it has none.
    package var version: Int { signed["version"]?.intValue ?? 0 }

    /// When it expires, as written.
    package var expires: String { signed["expires"]?.stringValue ?? "" }
}

extension StrictJSON {
    /// An object without members.
    static let empty = StrictJSON.object([Member]())

    /// An integer.
    static func integer(_ value: Int) -> StrictJSON { .integer(Integer(value)) }

    /// The object with members in the place of its own of the same names.
    func replacing(_ members: [(String, StrictJSON?)]) -> StrictJSON {
        let kept = (self.members ?? []).filter { own in !members.contains { $0.0.hasSameUTF8(as: own.key) } }
        return .object(
            kept.map { ($0.key, $0.value) }
                + members.compactMap { name, value in value.map { (name, $0) } })
    }
}
