import GlassLanguageServer

// What an editor sends: the same messages come of any bytes, however they are cut, no byte of a header is looked at twice,
// and what is wrong with them is one sentence.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFraming(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let stream = Array(UnsafeBufferPointer(start: data, count: count))
    let whole = Framing(stream) { _ in stream.count }
    precondition(Framing(stream) { _ in 1 } == whole, "other messages when they come byte by byte")
    precondition(Framing(stream) { Int(stream[$0] % 61) + 1 } == whole, "other messages when they are cut elsewhere")
    precondition(whole.lengths.reduce(0, +) <= stream.count, "more bytes than there were")
    if let error = whole.error { precondition(!error.isEmpty && error.utf8.count < 1000, "no sentence: \(error)") }
    return 0
}

/// What comes of a stream.
private struct Framing: Equatable {
    var messages: [MessageSplitter.Message] = []
    var error: String?
    var isWithinMessage = false

    /// Reads a stream in pieces, whose lengths depend on where they begin.
    init(_ stream: [UInt8], pieces: (Int) -> Int) {
        var splitter = MessageSplitter()
        var start = 0
        do throws(FramingError) {
            while start < stream.count {
                let end = min(start + pieces(start), stream.count)
                splitter.append(stream[start..<end])
                start = end
                while let message = try splitter.next() { messages.append(message) }
            }
            isWithinMessage = splitter.isWithinMessage
        } catch {
            self.error = error.description
        }
        precondition(splitter.examined <= stream.count, "bytes of headers that are looked at twice")
    }

    /// The lengths of the messages that are there.
    var lengths: [Int] { messages.map { if case .body(let bytes) = $0 { bytes.count } else { 0 } } }
}
