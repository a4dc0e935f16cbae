import GlassBase
import Foundation
import GlassDeepLinking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Entries on disk up to a total size. The least recently used entry is evicted first.
///
/// Each URL has one file, which is written under a temporary name and renamed, so that processes that share the folder
/// only see complete files. A damaged file is removed. A disk error never makes a download fail.
final class MediaDiskCache: Sendable {
    private struct State {
        /// The approximate size of the folder in bytes; `nil` before the folder is first read. Other processes write to
        /// it, too.
        var size: Int?
        var hasComplained = false
    }

    private static let mark = Data("GLMEDIA1".utf8)
    private static let header = 20

    private let folder: URL
    private let capacity: Int
    private let state = Lock(State())
    private let logger = SafeLogger(label: "glass.media")

    init(folder: URL, capacity: Int) {
        self.folder = folder
        self.capacity = capacity
    }

    /// The file for a URL.
    func file(for url: String) -> URL {
        // Two digests with different seeds provide 128 bits. In case of a collision, the URL in the file decides.
        let bytes = Data(url.utf8)
        let name = [bytes.digest(from: 0xCBF2_9CE4_8422_2325), bytes.digest(from: 0x9E37_79B9_7F4A_7C15)]
            .map { String(repeating: "0", count: max(0, 16 - String($0, radix: 16).count)) + String($0, radix: 16) }
        return folder.appending(path: name.joined() + ".media")
    }

    /// The entry for a URL. Reading it counts as a use. A damaged file is removed.
    func entry(for url: String) -> MediaEntry? {
        let file = file(for: url)
        // An error means that there is no such file, so nothing is cached.
        guard let bytes = try? ConfinedDirectory(folder.path).contents(of: file.lastPathComponent, limit: capacity)
        else { return nil }
        guard let entry = Self.read(Data(bytes)) else {
            logger.notice("removed a damaged file of the media cache: \(file.lastPathComponent)")
            remove(url)
            return nil
        }
        guard entry.info.url == url else { return nil }
        utimes(file.path, nil)
        return entry
    }

    /// Stores an entry.
    func insert(_ entry: MediaEntry) {
        let data = Self.write(entry)
        guard data.count <= capacity else { return remove(entry.info.url) }
        do {
            try PrivateFolder.make(folder)
            let name = file(for: entry.info.url).lastPathComponent
            try ConfinedDirectory(folder.path).write(Array(data), to: name, as: .init(mode: 0o600))
        } catch {
            complain(error)
            return
        }
        let isFull = state.withLock { state in
            state.size? += data.count
            return state.size.map { $0 > capacity } ?? true
        }
        if isFull { trim() }
    }

    func remove(_ url: String) { unlink(file(for: url).path) }

    func removeAll() {
        for file in files() { unlink(file.path) }
        state.withLock { $0.size = 0 }
    }

    private func files() -> [URL] {
        let keys: [URLResourceKey] = [.contentModificationDateKey, .fileSizeKey]
        let found = try? FileManager.default.contentsOfDirectory(  // without a folder, no files
            at: folder, includingPropertiesForKeys: keys)
        // Other files do not belong to the cache and must not be removed.
        return (found ?? []).filter { ["media", "part"].contains($0.pathExtension) }
    }

    /// Reads the folder, and removes the least recently used files and partial files of killed processes.
    private func trim() {
        var kept: [(file: URL, used: Date, size: Int)] = []
        let longAgo = Date(timeIntervalSinceNow: -3600)
        for file in files() {
            let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
            let values = try? file.resourceValues(forKeys: keys)  // nil if another process removed the file
            guard let values, let used = values.contentModificationDate else { continue }
            if file.pathExtension == "part" {
                // A newer partial file may belong to a process that is still writing it.
                if used < longAgo { unlink(file.path) }
            } else {
                kept.append((file, used, values.fileSize ?? 0))
            }
        }
        var size = kept.reduce(0) { $0 + $1.size }
        if size > capacity {
            // Freeing a tenth of the capacity saves later insertions from reading the folder again.
            for (file, _, bytes) in kept.sorted(by: { $0.used < $1.used }) where size > capacity / 10 * 9 {
                unlink(file.path)
                size -= bytes
            }
        }
        state.withLock { $0.size = size }
    }

    private func complain(_ error: any Error) {
        let isFirst = state.withLock { state in
            defer { state.hasComplained = true }
            return !state.hasComplained
        }
        if isFirst { logger.warning("the media cache cannot store files on disk: \(folder.path): \(error)") }
    }

    /// Encodes the file of an entry: a marker, a checksum of the rest, the length of the description, the description,
    /// and the content.
    private static func write(_ entry: MediaEntry) -> Data {
        guard let info = try? JSONEncoder().encode(entry.info) else { return Data() }  // strings and dates: never fails
        var rest = Data()
        rest.append(littleEndian: UInt32(info.count))
        rest.append(info)
        rest.append(entry.body)
        var file = mark
        file.append(littleEndian: rest.digest(from: 0xCBF2_9CE4_8422_2325))
        file.append(rest)
        return file
    }

    private static func read(_ data: Data) -> MediaEntry? {
        guard data.count >= header, data.prefix(mark.count) == mark else { return nil }
        let rest = data[(data.startIndex + 16)...]
        guard rest.digest(from: 0xCBF2_9CE4_8422_2325) == data.littleEndian(UInt64.self, at: 8) else { return nil }
        let length = Int(data.littleEndian(UInt32.self, at: 16))
        guard length <= data.count - header else { return nil }
        let start = data.startIndex + header
        let description = data[start..<(start + length)]
        let info = try? JSONDecoder().decode(CachedMedia.self, from: description)  // nil if another version wrote it
        return info.map { MediaEntry(info: $0, body: Data(data[(start + length)...])) }
    }
}

extension Data {
    /// FNV-1a over eight-byte words. It detects damage, but not tampering.
    fileprivate func digest(from start: UInt64) -> UInt64 {
        withUnsafeBytes { bytes in
            var digest = start
            var index = 0
            while index + 8 <= bytes.count {
                digest =
                    (digest ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
                    &* 0x100_0000_01B3
                digest ^= digest >> 29
                index += 8
            }
            for byte in bytes[index...] { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return digest ^ UInt64(bytes.count)
        }
    }

    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int)
        -> Value
    {
        withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
