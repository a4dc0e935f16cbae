import GlassBase
import Foundation

/// A file that an earlier replay printed with `--format json`, read beside the new replay.
struct RecordedLinks {
    /// A link of the new replay, with the number of its line.
    struct Replayed {
        let line: Int
        let record: ReplayRecord
        fileprivate let json: Line

        init(_ record: ReplayRecord, line: Int) {
            self.line = line
            self.record = record
            json = Line(Array(record.json.utf8))
        }
    }

    /// A line of JSON, with what distinguishes its link from others.
    fileprivate struct Line {
        let bytes: [UInt8]
        let key: Int

        static let start = Array("{\"link\":\"".utf8)

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            // The link ends at the first quote that no backslash escapes.
            var end = Self.start.count
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            var hasher = Hasher()
            bytes[..<min(end, bytes.count)].withUnsafeBytes { hasher.combine(bytes: $0) }
            key = hasher.finalize()
        }
    }

    /// What is different at one place; nil stands for what one of the two does not have.
    struct Change {
        let was: [UInt8]?
        let now: Replayed?
    }

    /// How far the two are read ahead to find the place from which they agree again: so many links in a row may have been
    /// added, removed or replaced without the rest being called changed.
    static let window = 64

    /// Each byte of a line of links is at most six in JSON, and the names and values in it are parts of the link.
    private static let maximumLength = 16 * LineReader.maximumLength

    private var reader: LineReader
    private var recorded: [Line] = []
    private var replayed: [Replayed] = []
    private var isAtEnd = false

    /// Opens a recorded file.
    init(path: String) throws {
        reader = try LineReader(regularFile: path, maximumLength: Self.maximumLength)
    }

    /// Compares one more link.
    mutating func compare(_ link: Replayed, report: (Change) -> Void) throws {
        replayed.append(link)
        try advance(report, untilReplayed: Self.window)
    }

    /// Compares what is left after the last link.
    mutating func finish(report: (Change) -> Void) throws {
        try advance(report, untilReplayed: 1)
        while try fill(1) { report(Change(was: recorded.removeFirst().bytes, now: nil)) }
    }

    /// Reports what is known about pending links until fewer than a given number of them are left.
    private mutating func advance(_ report: (Change) -> Void, untilReplayed count: Int) throws {
        while let link = replayed.first {
            _ = try fill(1)
            if let line = recorded.first, line.key == link.json.key {
                if line.bytes != link.json.bytes { report(Change(was: line.bytes, now: link)) }
                recorded.removeFirst()
                replayed.removeFirst()
                continue
            }
            guard replayed.count >= count else { return }
            _ = try fill(Self.window)
            let (removed, added) = nextAgreement()
            for index in 0..<max(removed, added) {
                report(
                    Change(
                        was: index < removed ? recorded[index].bytes : nil,
                        now: index < added ? replayed[index] : nil))
            }
            recorded.removeFirst(removed)
            replayed.removeFirst(added)
        }
    }

    /// How many recorded and replayed links stand before the nearest link that both have. Where there is none in reach,
    /// one link took the place of another.
    private func nextAgreement() -> (removed: Int, added: Int) {
        if recorded.isEmpty { return (0, replayed.count) }
        for sum in 1..<max(2, recorded.count + replayed.count - 1) {
            for added in max(0, sum - recorded.count + 1)...sum where added < replayed.count {
                if recorded[sum - added].key == replayed[added].json.key { return (sum - added, added) }
            }
        }
        return (1, 1)
    }

    /// Reads recorded lines until there are so many.
    private mutating func fill(_ count: Int) throws -> Bool {
        while recorded.count < count, !isAtEnd {
            guard let line = try reader.nextLine(), !line.isTotals else {
                isAtEnd = true
                break
            }
            guard line.starts(with: Line.start) else {
                throw CommandFailure(
                    status: .impossible,
                    "\(reader.path):\(reader.linesRead): no recorded link; make the file with open --from LINKS "
                        + "--format json")
            }
            recorded.append(Line(line))
        }
        return recorded.count >= count
    }
}

/// A line of a recorded file, read for showing it.
struct RecordedLine: Decodable {
    let link: String
    let outcome: String
    let routable: String?
    let pattern: String?
    let reason: String?

    init?(_ line: [UInt8]) {
        // What begins like a recorded line and is none was edited by somebody, and is shown as it is.
        guard let line = try? JSONDecoder().decode(RecordedLine.self, from: Data(line)) else { return nil }  // as above
        self = line
    }

    var summary: String { ReplayRecord.summary(outcome, routable, pattern, reason) }
}

extension [UInt8] {
    /// Whether the line is the last one of a recorded file, which holds the totals.
    fileprivate var isTotals: Bool {
        starts(with: Array("{\"changes\"".utf8)) || starts(with: Array("{\"links\"".utf8))
    }
}
