import GlassBase
import Foundation

/// A file that an earlier replay printed with `--format json`, read in parallel with the new replay.
struct RecordedLinks {
    /// A link of the new replay, with its line number.
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

    /// A line of JSON, with a hash that identifies its link.
    fileprivate struct Line {
        let bytes: [UInt8]
        let key: Int

        static let start = Array("{\"link\":\"".utf8)

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            // The link ends at the first unescaped quote.
            var end = Self.start.count
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            var hasher = Hasher()
            bytes[..<min(end, bytes.count)].withUnsafeBytes { hasher.combine(bytes: $0) }
            key = hasher.finalize()
        }
    }

    /// A difference at one position; nil for the side that has no link there.
    struct Change {
        let was: [UInt8]?
        let now: Replayed?
    }

    /// The number of links to read ahead to find where the two sides agree again. This many links in a row can be
    /// added, removed, or replaced before the rest is reported as changed.
    static let window = 64

    /// A byte of a line of links becomes at most six bytes of JSON, and the names and values in it are parts of the
    /// link.
    private static let maximumLength = 16 * LineReader.maximumLength

    private var reader: LineReader
    private var recorded: [Line] = []
    private var replayed: [Replayed] = []
    private var isAtEnd = false

    /// Opens a recorded file.
    init(path: String) throws {
        reader = try LineReader(regularFile: path, maximumLength: Self.maximumLength)
    }

    /// Compares the next link.
    mutating func compare(_ link: Replayed, report: (Change) -> Void) throws {
        replayed.append(link)
        try advance(report, untilReplayed: Self.window)
    }

    /// Compares the remaining links after the last one.
    mutating func finish(report: (Change) -> Void) throws {
        try advance(report, untilReplayed: 1)
        while try fill(1) { report(Change(was: recorded.removeFirst().bytes, now: nil)) }
    }

    /// Reports differences until fewer than a given number of replayed links are pending.
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

    /// The number of recorded and replayed links before the next link that both sides have. If there is none within the
    /// window, one link replaced another.
    private func nextAgreement() -> (removed: Int, added: Int) {
        if recorded.isEmpty { return (0, replayed.count) }
        for sum in 1..<max(2, recorded.count + replayed.count - 1) {
            for added in max(0, sum - recorded.count + 1)...sum where added < replayed.count {
                if recorded[sum - added].key == replayed[added].json.key { return (sum - added, added) }
            }
        }
        return (1, 1)
    }

    /// Reads recorded lines until a given number of them is available. Returns false if the file has too few.
    private mutating func fill(_ count: Int) throws -> Bool {
        while recorded.count < count, !isAtEnd {
            guard let line = try reader.nextLine(), !line.isTotals else {
                isAtEnd = true
                break
            }
            guard line.starts(with: Line.start) else {
                throw CommandFailure(
                    status: .impossible,
                    "\(reader.path):\(reader.linesRead): not a recorded link; create the file with open --from LINKS "
                        + "--format json")
            }
            recorded.append(Line(line))
        }
        return recorded.count >= count
    }
}

/// A line of a recorded file, decoded for display.
struct RecordedLine: Decodable {
    let link: String
    let outcome: String
    let routable: String?
    let pattern: String?
    let reason: String?

    init?(_ line: [UInt8]) {
        // A line that starts like a recorded one but cannot be decoded was edited by hand; it is shown as not recorded.
        guard let line = try? JSONDecoder().decode(RecordedLine.self, from: Data(line)) else { return nil }  // as above
        self = line
    }

    var summary: String { ReplayRecord.summary(outcome, routable, pattern, reason) }
}

extension [UInt8] {
    /// Whether the line is the last one of a recorded file, which contains the totals.
    fileprivate var isTotals: Bool {
        starts(with: Array("{\"changes\"".utf8)) || starts(with: Array("{\"links\"".utf8))
    }
}
