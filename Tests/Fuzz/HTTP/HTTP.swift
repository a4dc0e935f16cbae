import Foundation
import GlassInspector

// Request heads: whatever the bytes are, they are a head within the limits or are rejected, and the result is the same
// however they are split. The first byte determines where.
//
// libFuzzer calls from one thread. GLASS_FUZZ_CPU_MS is the CPU time limit for one input.

/// One run of the fuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    guard let piece = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    let start = processorTime()
    let whole = Verdict(bytes, inPiecesOf: bytes.count)
    precondition(whole == Verdict(bytes, inPiecesOf: 1), "the result differs if bytes are read one by one")
    precondition(whole == Verdict(bytes, inPiecesOf: Int(piece) + 2), "the result differs if bytes are read in pieces")
    whole.check(bytes)
    let used = processorTime() - start
    precondition(used <= maximumProcessorTime, "this input took \(used) of CPU time")
    return 0
}

private let maximumProcessorTime = Duration.milliseconds(
    ProcessInfo.processInfo.environment["GLASS_FUZZ_CPU_MS"].flatMap { Int($0) } ?? 1000)

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// The result of reading the bytes.
private enum Verdict: Equatable {
    /// A head, and the number of bytes after it.
    case head(HTTPHead, rest: Int)
    case refused(HTTPFailure)
    /// More bytes are needed.
    case open

    init(_ bytes: [UInt8], inPiecesOf size: Int) {
        var reader = HTTPHeadReader()
        var start = 0
        self = .open
        while start < bytes.count {
            let end = min(bytes.count, start + size)
            var piece = bytes[start..<end]
            do throws(HTTPFailure) {
                if let head = try reader.read(&piece) {
                    self = .head(head, rest: piece.count + bytes.count - end)
                    return
                }
            } catch {
                self = .refused(error)
                return
            }
            precondition(piece.isEmpty, "bytes are left over")
            start = end
        }
    }

    func check(_ bytes: [UInt8]) {
        switch self {
        case .open: precondition(bytes.count <= HTTPHeadReader.maximumBytes, "a head has no end")
        case .refused(let failure): precondition(400..<600 ~= failure.status.rawValue && !failure.message.isEmpty)
        case .head(let head, let rest):
            let count = bytes.count - rest
            precondition(count <= HTTPHeadReader.maximumBytes && head.fields.count <= HTTPHeadReader.maximumFields)
            let lines = bytes[..<count].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            precondition(lines.count == head.fields.count + 3, "a line is not a field, or a field is split in two")
            precondition(lines.dropLast().allSatisfy { $0.last == UInt8(ascii: "\r") }, "a line ends in LF alone")
            precondition(lines.allSatisfy { $0.count < HTTPHeadReader.maximumLineBytes })
            precondition(head.fields.count { $0.name == "host" } == 1 && head.contentLength >= 0)
            precondition(!head.fields.contains { $0.name == "transfer-encoding" })
            precondition(head.target.utf8.allSatisfy { 0x21...0x7E ~= $0 })
            for field in head.fields {
                precondition(!field.name.isEmpty && field.name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x3A })
                precondition(!field.value.utf8.contains { $0 != 0x09 && $0 < 0x20 || $0 == 0x7F })
            }
        }
    }
}
