// The tokenizer ends, and its tokens are in order and inside the text.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTokenizer(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    var tokenizer = LuaTokenizer(bytes)
    var end = 0
    var line = 1
    for _ in 0...count + 1 {
        let token = tokenizer.next()
        precondition(token.range.lowerBound >= end && token.range.upperBound <= count, "a token out of order")
        precondition(
            token.line >= line && token.column >= 1 && token.endLine >= token.line, "a position that decreases")
        if token.kind == .endOfFile { return 0 }
        end = token.range.upperBound
        // An unfinished comment is an invalid token at the end, without bytes.
        precondition(!token.range.isEmpty || (token.kind == .invalid && end == count), "an empty token")
        line = token.endLine
    }
    preconditionFailure("more tokens than bytes")
}
