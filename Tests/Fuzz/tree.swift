// The tree of a text is whole, and has errors if and only if the system's parser rejects the text.

private nonisolated(unsafe) let parser = SystemParser()  // libFuzzer runs one input at a time

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTree(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let tree = LuaTree(Array(UnsafeBufferPointer(start: data, count: count)))
    if let defect = tree.defect(comparedWith: parser) { preconditionFailure(defect) }
    for node in tree.allNodes {
        _ = tree.function(node)
        _ = tree.call(node)
        if tree.kind(node) == .table { for _ in tree.fields(of: node) {} }
    }
    _ = tree.returnedTable
    for token in tree.tokens.indices {
        _ = tree.comments(before: token)
        let byte = tree.tokens[token].lowerBound
        precondition(tree.lines.byte(at: tree.lines.position(of: byte)) == byte, "a token at another position")
    }
    return 0
}
