public import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Appends events to a file, one JSON object per line, each with the key of its batch.
///
/// A batch that a crash left incomplete is completed, and one that is already in the file is not written again. Several
/// processes can write to the same file.
package final class JSONLinesAnalyticsSink: AnalyticsSink {
    /// The name that identifies the sink of an outbox.
    package let name: String
    private let path: String

    /// Creates a sink. The file is created with the first batch.
    package init(file: URL, name: String = "jsonLines") {
        path = file.path
        self.name = name
    }

    /// Appends a batch.
    package func send(_ batch: AnalyticsBatch) async throws {
        try append(batch)
    }

    /// The start of every line of a batch, with which the start of the batch can be found again.
    private static func mark(_ key: String) -> Data { Data(#"{"batch":"\#(key)","#.utf8) }

    private func append(_ batch: AnalyticsBatch) throws(AnalyticsSinkError) {
        var lines = Data()
        for (index, event) in batch.events.enumerated() {
            lines.append(Self.mark(batch.key))
            if index == 0, batch.dropped > 0 { lines.append(contentsOf: #""dropped":\#(batch.dropped),"#.utf8) }
            lines.append(event.dropFirst())
            lines.append(UInt8(ascii: "\n"))
        }
        let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("cannot open") }
        defer { close(descriptor) }
        // The lock is released with the descriptor, even if the process is killed.
        guard flock(descriptor, LOCK_EX) == 0 else { throw failure("cannot lock") }
        var size = lseek(descriptor, 0, SEEK_END)
        guard size >= 0 else { throw failure("cannot read") }
        let tail = try read(descriptor, last: lines.count * 2 + 1024 * 1024, of: size)
        if let start = tail.range(of: Self.mark(batch.key))?.lowerBound {
            if tail[start...].starts(with: lines) { return }
            size -= off_t(tail.endIndex - start)
            guard ftruncate(descriptor, size) == 0 else { throw failure("cannot complete a batch in") }
        } else if let last = tail.last, last != UInt8(ascii: "\n") {
            // The last line of another writer is incomplete. Keep it, on a separate line.
            lines.insert(UInt8(ascii: "\n"), at: 0)
        }
        guard FileCalls.write(lines, to: descriptor), FileCalls.synchronize(descriptor) else {
            let error = failure("cannot write")
            ftruncate(descriptor, size)
            throw error
        }
    }

    private func read(_ descriptor: Int32, last count: Int, of size: off_t) throws(AnalyticsSinkError) -> Data {
        let start = max(0, size - off_t(count))
        var data = Data(count: Int(size - start))
        var done = 0
        while done < data.count {
            let length = data.count - done
            let got = data.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, length, start + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure("cannot read") }
            if got == 0 { break }
            done += got
        }
        return data.prefix(done)
    }

    private func failure(_ what: String) -> AnalyticsSinkError {
        .unavailable(reason: "\(what) \(path): \(String(cString: strerror(errno)))")
    }
}

extension AnalyticsSinkDefinition {
    /// Appends events to a file, one JSON object per line.
    ///
    /// - Parameters:
    ///   - file: The file. Its folder must exist.
    ///   - name: The name that identifies the sink of an outbox.
    /// - Returns: The definition.
    public static func jsonLines(_ file: URL, name: String = "jsonLines") -> Self {
        Self(name: name) { _ in JSONLinesAnalyticsSink(file: file, name: name) }
    }
}
