import Crypto
import GlassBase

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A market that is being stored: it gets a name once all its bytes are there and have the digest that was listed.
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
        // What a fault keeps here goes with the leftovers.
        try? system.remove(part)
    }

    /// Writes the next bytes.
    package func write(_ bytes: some Collection<UInt8>) throws(StoreError) {
        count += bytes.count
        guard count <= version.length else {
            throw .wrongObject(expected: version.digest, reason: "it has more than the \(version.length) bytes listed")
        }
        let bytes = Array(bytes)
        hash.update(data: bytes)
        do {
            try system.write(bytes, to: descriptor, part)
        } catch {
            throw .unavailable("store a market", reason: "\(error)")
        }
    }

    /// Gives the file its name.
    package func finish() throws(StoreError) {
        guard count == version.length else {
            throw .wrongObject(
                expected: version.digest, reason: "it has \(count) bytes, and \(version.length) are listed")
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
            // The name has to be on the disk before a state refers to it.
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
