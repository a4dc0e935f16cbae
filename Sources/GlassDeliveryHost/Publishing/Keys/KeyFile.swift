import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A PEM file with a private or a public key.
struct KeyFile: Sendable {
    /// The path of the file.
    let path: String
    /// The public key that metadata lists.
    let publicKey: MetadataKey
    /// The key that signs; `nil` if the file contains only the public key.
    let privateKey: PrivateKey?

    /// The maximum size in bytes, which is more than any key file has.
    private static let maximumBytes = 16 << 10

    /// Reads a file.
    init(reading path: String) throws(PublishingError) {
        try self.init(path) { () throws(FileFailure) in try Descriptor.regular(path) }
    }

    private init(_ path: String, _ opening: () throws(FileFailure) -> Descriptor) throws(PublishingError) {
        self.path = path
        let (bytes, mode): ([UInt8], mode_t)
        do throws(FileFailure) {
            // Read the mode from the descriptor, so that it belongs to the file that is read.
            let file = try opening()
            mode = try file.status().st_mode
            bytes = try file.contents(limit: Self.maximumBytes)
        } catch {
            throw .impossible("cannot read the key \(path): \(error.reason)")
        }
        guard let block = PEMBlock(reading: String(decoding: bytes, as: UTF8.self)) else {
            throw .impossible("the key \(path) is not a PEM file; create one with openssl genpkey -algorithm ed25519")
        }
        if let key = MetadataKey(block) {
            publicKey = key
            privateKey = nil
            return
        }
        guard mode & 0o077 == 0 else {
            throw .impossible("other users can read the private key \(path); restrict it with chmod 600")
        }
        do {
            let key = try PrivateKey(block)
            privateKey = key
            publicKey = key.publicKey
        } catch {
            throw .impossible("the key \(path) \(error.phrase)")
        }
    }

    /// Reads a file, or all `.pem` files of a folder.
    static func all(at path: String) throws(PublishingError) -> [KeyFile] {
        guard ConfinedDirectory.isFolder(path) else { return [try KeyFile(reading: path)] }
        let names: [String]
        let folder = ConfinedDirectory(path)
        do throws(FileFailure) {
            names = try folder.names().filter { $0.hasSuffix(".pem") }.sorted()
        } catch {
            throw .impossible("cannot list the keys in \(path): \(error.reason)")
        }
        guard !names.isEmpty else { throw .impossible("there is no key in \(path): it contains no .pem file") }
        var keys: [KeyFile] = []
        for name in names {
            keys.append(try KeyFile("\(path)/\(name)") { () throws(FileFailure) in try folder.openFile(name) })
        }
        return keys
    }

    /// Creates a folder for keys that only the user can read, unless it exists.
    static func makeFolder(_ path: String) throws(PublishingError) {
        do throws(FileFailure) {
            try ConfinedDirectory.make(path, mode: 0o700)
        } catch {
            throw .impossible("cannot create the folder \(path): \(error.reason)")
        }
    }

    /// Creates a key and writes it, with its public key next to it in `NAME.pub`.
    static func make(
        at path: String, _ algorithm: KeyAlgorithm = .ed25519
    ) throws(PublishingError) -> KeyFile {
        let key = PrivateKey(new: algorithm)
        try write(key.pem, to: path, mode: 0o600)
        try write(key.publicKey.pem, to: path.replacing(/\.pem$/, with: "") + ".pub", mode: 0o644)
        return try KeyFile(reading: path)
    }

    private static func write(_ text: String, to path: String, mode: mode_t) throws(PublishingError) {
        do throws(POSIXFailure) {
            let file = try PrivateFile.open(path, O_WRONLY | O_EXCL)
            guard fchmod(file.number, mode) == 0, FileCalls.write(text.utf8, to: file.number),
                FileCalls.synchronize(file.number)
            else {
                let failure = POSIXFailure("write", path)
                // A partially written key would later be reported as a damaged one.
                unlink(path)
                throw failure
            }
        } catch {
            throw .impossible("cannot write the key \(path): \(error.reason)")
        }
    }
}
