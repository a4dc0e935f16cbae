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
    let whole = FramedStream(stream) { _ in stream.count }
    precondition(FramedStream(stream) { _ in 1 } == whole, "other messages when they come byte by byte")
    let pieces = FramedStream(stream) { Int(stream[$0] % 61) + 1 }
    precondition(pieces == whole, "other messages when they are cut elsewhere")
    precondition(whole.examined <= stream.count, "bytes of headers that are looked at twice")
    let lengths = whole.messages.map { if case .body(let bytes) = $0 { bytes.count } else { 0 } }
    precondition(lengths.reduce(0, +) <= stream.count, "more bytes than there were")
    if let text = whole.error?.description {
        precondition(!text.isEmpty && text.utf8.count < 1000, "no sentence: \(text)")
    }
    return 0
}
