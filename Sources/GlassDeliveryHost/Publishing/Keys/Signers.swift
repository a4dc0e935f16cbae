import GlassBase
import GlassDelivery

/// The keys of a role in root metadata.
struct RoleKeys: Sendable, Equatable {
    /// A key with its id in root metadata, which may differ from the id computed from the key.
    struct Entry: Sendable, Equatable {
        /// Its id.
        let id: String
        /// The key's object, unmodified.
        let json: StrictJSON

        /// The key, or `nil` if its kind is not supported.
        var key: MetadataKey? { MetadataKey(json) }

        /// Creates an entry for a key with its computed id.
        init(_ key: MetadataKey) {
            id = key.id
            json = key.json
        }

        init(id: String, json: StrictJSON) {
            self.id = id
            self.json = json
        }
    }

    /// The keys.
    var entries: [Entry]
    /// The number of keys that must sign.
    var threshold: Int

    /// Creates the keys of a role.
    init(_ entries: [Entry], threshold: Int) {
        self.entries = entries
        self.threshold = threshold
    }

    /// The number of these keys that have signed.
    func signatures(of metadata: SignedMetadata) -> Int {
        let bytes = metadata.signed.canonical()
        return Set(
            entries.compactMap { entry -> MetadataKey? in
                guard let key = entry.key else { return nil }
                let signed = metadata.signatures.contains {
                    $0.keyID == entry.id && key.isSignature([UInt8](hexadecimal: $0.signature) ?? [], of: bytes)
                }
                return signed ? key : nil
            }
        ).count
    }

    /// Whether enough keys have signed.
    func isMet(by metadata: SignedMetadata) -> Bool { signatures(of: metadata) >= threshold }
}

/// The signers of a command: key files, and commands that use other keys.
struct Signers: Sendable {
    /// The key files.
    let files: [KeyFile]
    /// The commands.
    let commands: [SignerCommand]

    init(files: [KeyFile] = [], commands: [SignerCommand] = []) {
        self.files = files
        self.commands = commands
    }

    /// Reads the signers that the options of a command name.
    init(paths: [String], commands: [String]) throws(PublishingError) {
        var files: [KeyFile] = []
        for path in paths { files += try KeyFile.all(at: path) }
        self.init(files: files, commands: commands.map(SignerCommand.init))
    }

    /// Adds the signatures of all available keys of a role.
    @discardableResult
    func sign(
        _ metadata: inout SignedMetadata, as role: String, _ keys: RoleKeys
    ) throws(PublishingError) -> [String] {
        let bytes = metadata.signed.canonical()
        var signed: [String] = []
        for entry in keys.entries {
            guard let key = entry.key else { continue }
            if metadata.hasSignature(of: key, as: entry.id, over: bytes) { continue }
            guard let own = files.lazy.compactMap(\.privateKey).first(where: { $0.publicKey == key }) else { continue }
            do {
                metadata.add(try own.signature(for: bytes), of: entry.id)
            } catch {
                throw .impossible("cannot sign \(role): \(error)")
            }
            signed.append(entry.id)
        }
        for command in commands {
            let open = keys.entries.filter { entry in
                entry.key.map { !metadata.hasSignature(of: $0, as: entry.id, over: bytes) } ?? false
            }
            guard !open.isEmpty,
                let signature = try command.signature(for: bytes, role: role, keyIDs: open.map(\.id))
            else { continue }
            guard let entry = open.first(where: { $0.key?.isSignature(signature, of: bytes) == true }) else {
                throw .impossible("the signature by the signer `\(command.text)` matches no key of \(role)")
            }
            metadata.add(signature, of: entry.id)
            signed.append(entry.id)
        }
        return signed
    }
}

extension SignedMetadata {
    /// Whether a key has signed the metadata.
    fileprivate func hasSignature(of key: MetadataKey, as id: String, over bytes: [UInt8]) -> Bool {
        signatures.contains { $0.keyID == id && key.isSignature([UInt8](hexadecimal: $0.signature) ?? [], of: bytes) }
    }

    fileprivate mutating func add(_ signature: [UInt8], of id: String) {
        signatures.removeAll { $0.keyID == id }
        signatures.append(Signature(keyID: id, signature: signature.hexadecimal))
        // Sort by id, so that the file does not depend on the order of signing.
        signatures.sort { $0.keyID < $1.keyID }
    }
}
