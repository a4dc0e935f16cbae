import Foundation
import GlassMarkets

/// Reads a file or standard input line by line, in constant memory.
struct LineReader {
    /// The longest line that is kept whole; of a longer one the first bytes, which no link may have anyway.
    static let maximumLength = 64 * 1024

    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var next = 0
    private var isAtEnd = false
    /// How many bytes were read so far.
    private(set) var bytesRead = 0
    /// How many bytes there are; nil for a stream.
    let size: Int?

    /// Opens a file.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    /// - Throws: `CommandFailure` with status 2 when it cannot be read.
    init(path: String) throws {
        if path == "-" {
            handle = .standardInput
            size = nil
            return
        }
        do {
            let url = URL(fileURLWithPath: path)
            handle = try FileHandle(forReadingFrom: url)
            size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
        } catch {
            throw CommandFailure(status: .impossible, "cannot read \(path): \(error.systemReason)")
        }
    }

    /// The next line without its line break.
    ///
    /// - Returns: The line's bytes, or nil after the last one.
    /// - Throws: `CommandFailure` with status 2 when reading fails on the way.
    mutating func nextLine() throws -> [UInt8]? {
        var line: [UInt8] = []
        while true {
            if next == buffer.count {
                guard try fill() else { return line.isEmpty && isAtEnd ? nil : line }
            }
            let end = buffer[next...].firstIndex(of: UInt8(ascii: "\n")) ?? buffer.endIndex
            let room = max(0, Self.maximumLength - line.count)
            line += buffer[next..<min(end, next + room)]
            next = min(end + 1, buffer.count)
            if end < buffer.endIndex {
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                return line
            }
        }
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        do {
            buffer = [UInt8](try handle.read(upToCount: 64 * 1024) ?? Data())
        } catch {
            throw CommandFailure(status: .impossible, "cannot read on: \(error.systemReason)")
        }
        next = 0
        bytesRead += buffer.count
        isAtEnd = buffer.isEmpty
        return !isAtEnd
    }
}
