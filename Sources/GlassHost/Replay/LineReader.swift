import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets

/// Reads a file or standard input line by line, in constant memory.
struct LineReader {
    /// The longest line of a file of links that is kept whole; of a longer one the first bytes, which no link may have
    /// anyway.
    static let maximumLength = 64 * 1024

    /// The file as the user named it.
    let path: String
    private let input: FileHandle
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    private var next = 0
    private var isAtEnd = false
    /// How many lines were read so far.
    private(set) var linesRead = 0
    /// How many bytes were read so far.
    private(set) var bytesRead = 0
    /// How many bytes there are; nil for a stream.
    let size: Int?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The longest line that is looked through for its end. A device may have none.
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
        // A pipe or a device says 0.
        size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    }

    /// Opens a file that an earlier run left in a folder: a regular one, below that folder.
    init(regularFile file: String, maximumLength: Int) throws {
        if file == "-" {
            try self.init(path: file, maximumLength: maximumLength)
            return
        }
        let (folder, name) = ConfinedDirectory.split(file)
        try self.init(name, in: folder, path: file, maximumLength: maximumLength)
    }

    /// Opens a file that nobody named: a regular one, below the folder that it was found in.
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

    /// The next line without its line break; a byte order mark at the start of the first one is left out.
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
        // `FileHandle` would wait until the whole piece has come, and links may come one at a time.
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
