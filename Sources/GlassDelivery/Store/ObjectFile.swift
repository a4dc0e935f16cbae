import Crypto
import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A market that is being stored. It is named by its digest once it is complete and its bytes match the listed digest.
package final class ObjectFile {
    private let version: DeliveredVersion
    private let folder: String
    private let part: String
    private let system: StoreSystem
    private var descriptor: CInt
    private var count = 0
    private var hash = SHA256()

    init(_ version: DeliveredVersion, in folder: String, _ system: StoreSystem) throws(POSIXFailure) {
        self.version = version
        self.folder = folder
        self.system = system
        part = "\(folder)/.part-\(DeliveryStore.randomName())"
        descriptor = try system.create(part)
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        // If an error keeps the file here, `removeLeftovers` removes it later.
        try? system.remove(part)
    }

    /// Writes the next bytes.
    package func write(_ bytes: some Collection<UInt8>) throws(StoreError) {
        count += bytes.count
        guard count <= version.length else {
            throw .wrongObject(expected: version.digest, reason: "it has more than the listed \(version.length) bytes")
        }
        let bytes = Array(bytes)
        hash.update(data: bytes)
        do {
            try system.write(bytes, to: descriptor, part)
        } catch {
            throw .unavailable("store a market", reason: "\(error)")
        }
    }

    /// Verifies the length and the digest, and renames the file to its final name.
    package func finish() throws(StoreError) {
        guard count == version.length else {
            throw .wrongObject(
                expected: version.digest, reason: "it has \(count) bytes instead of the listed \(version.length)")
        }
        let digest = SHA256.hexadecimal(hash.finalize())
        guard digest == version.digest else {
            throw .wrongObject(expected: version.digest, reason: "its digest is \(digest)")
        }
        do {
            try system.synchronize(descriptor, part, .ordered)
            try system.rename(part, to: "\(folder)/\(version.digest)")
            close(descriptor)
            descriptor = -1
            // The name must be durable before a state refers to it.
            try system.synchronize(folder: folder)
        } catch {
            throw .unavailable("store a market", reason: "\(error)")
        }
    }
}

extension SHA256 {
    /// The digest of bytes as 64 hexadecimal digits.
    static func hexadecimal(of bytes: some Collection<UInt8>) -> String { hexadecimal(hash(data: Array(bytes))) }

    /// A digest as 64 hexadecimal digits.
    static func hexadecimal(_ digest: SHA256Digest) -> String {
        digest.map { (digit: UInt8) in (digit < 16 ? "0" : "") + String(digit, radix: 16) }.joined()
    }
}
