import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets

/// Reads a file or standard input line by line, in constant memory.
struct LineReader {
    /// The maximum length of a line in a file of links, in bytes. A longer line is truncated, because no link may be
    /// that long.
    static let maximumLength = 64 * 1024

    /// The file as the user named it.
    let path: String
    private let input: FileHandle
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    private var next = 0
    private var isAtEnd = false
    /// The number of lines read so far.
    private(set) var linesRead = 0
    /// The number of bytes read so far.
    private(set) var bytesRead = 0
    /// The size in bytes; nil for a stream.
    let size: Int?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The maximum number of bytes to read before a line must end. A device may have no line breaks.
    private static let maximumLineBytes = 16 << 20

    /// Opens a file that the user named, which may be a stream.
    init(path: String, maximumLength: Int = Self.maximumLength) throws {
        self.path = path == "-" ? "standard input" : path
        self.maximumLength = maximumLength
        if path == "-" {
            input = CommandContext.current.input
            size = nil
            return
        }
        do {
            input = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        } catch {
            throw CommandFailure(status: .impossible, "cannot read \(path): \(error.systemReason)")
        }
        var status = stat()
        guard fstat(input.fileDescriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            throw CommandFailure(status: .impossible, "cannot read \(path): is a directory")
        }
        // A pipe or a device reports 0.
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Opens a regular file that an earlier run wrote, without following symbolic links out of its folder.
    init(regularFile file: String, maximumLength: Int) throws {
        if file == "-" {
            try self.init(path: file, maximumLength: maximumLength)
            return
        }
        let (folder, name) = ConfinedDirectory.split(file)
        try self.init(name, in: folder, path: file, maximumLength: maximumLength)
    }

    /// Opens a regular file that was found in a folder rather than named by the user; it must be in that folder.
    init(
        _ name: String, in folder: ConfinedDirectory, path: String, maximumLength: Int = Self.maximumLength
    ) throws {
        self.path = path
        self.maximumLength = maximumLength
        do throws(FileFailure) {
            let file = try folder.openFile(name)
            size = Int(try file.status().st_size)
            input = FileHandle(fileDescriptor: file.release(), closeOnDealloc: true)
        } catch {
            throw CommandFailure(status: .impossible, "cannot read \(path): \(error.reason)")
        }
    }

    /// The next line without its line break. A byte order mark at the start of the first line is skipped.
    mutating func nextLine(willWait: () -> Void = {}) throws -> [UInt8]? {
        var line: [UInt8] = []
        var length = 0
        while true {
            if next == buffer.count {
                willWait()
                guard try fill() else { return line.isEmpty ? nil : ended(line) }
            }
            let end = buffer[next...].firstIndex(of: UInt8(ascii: "\n")) ?? buffer.endIndex
            let room = max(0, maximumLength - line.count)
            line += buffer[next..<min(end, next + room)]
            length += end - next
            guard length <= Self.maximumLineBytes else {
                throw CommandFailure(
                    status: .impossible,
                    "\(path):\(linesRead + 1): the line has more than \(Self.maximumLineBytes.grouped) bytes")
            }
            next = min(end + 1, buffer.count)
            if end < buffer.endIndex { return ended(line) }
        }
    }

    private mutating func ended(_ line: [UInt8]) -> [UInt8] {
        linesRead += 1
        var line = line
        if linesRead == 1, line.starts(with: Self.byteOrderMark) { line.removeFirst(Self.byteOrderMark.count) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }

    private mutating func fill() throws -> Bool {
        guard !isAtEnd else { return false }
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        var count: Int
        // `FileHandle` would wait until the buffer is full, but links may arrive one at a time.
        repeat { count = read(input.fileDescriptor, &piece, piece.count) } while count < 0 && errno == EINTR
        guard count >= 0 else {
            throw CommandFailure(
                status: .impossible, "cannot read \(path): \(String(cString: strerror(errno)).lowercased())")
        }
        buffer = Array(piece.prefix(count))
        next = 0
        bytesRead += count
        isAtEnd = count == 0
        return !isAtEnd
    }
}
