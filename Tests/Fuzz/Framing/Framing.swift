import GlassAuthoring

// An editor's input: any bytes give the same messages however they are split, no byte of a header is examined twice,
// and each error is one sentence.

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
    precondition(FramedStream(stream) { _ in 1 } == whole, "different messages when read byte by byte")
    let pieces = FramedStream(stream) { Int(stream[$0] % 61) + 1 }
    precondition(pieces == whole, "different messages when split elsewhere")
    precondition(whole.examined <= stream.count, "header bytes that are examined twice")
    let lengths = whole.messages.map { if case .body(let bytes) = $0 { bytes.count } else { 0 } }
    precondition(lengths.reduce(0, +) <= stream.count, "more bytes than the input has")
    if let text = whole.error?.description {
        precondition(!text.isEmpty && text.utf8.count < 1000, "not a sentence: \(text)")
    }
    return 0
}
