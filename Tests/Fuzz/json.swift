// Any bytes are JSON with a single meaning or give an error with its position, and a value that is written reads back
// the same.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    do throws(StrictJSONError) {
        let json = try StrictJSON(reading: bytes, limit: 1 << 16, numbers: .all)
        check(json, bytes)
    } catch {
        precondition(error.offset <= bytes.count && error.line >= 1 && error.column >= 1)
        precondition(!error.description.isEmpty && error.description.utf8.count < 1000)
    }
    return 0
}

private func check(_ json: StrictJSON, _ bytes: [UInt8]) {
    let text = json.text()
    // An escape takes at most six bytes for one; a short number may be written with 17 digits.
    precondition(text.count <= bytes.count * 24 + 24)
    do throws(StrictJSONError) {
        let again = try StrictJSON(reading: text, limit: text.count, numbers: .all)
        precondition(again == json, "the written text is read as a different value")
        precondition(again.text() == text && again.canonical() == json.canonical(), "one value is written in two forms")
        let integers: StrictJSON? = json.hasFractions ? nil : try StrictJSON(reading: bytes, limit: bytes.count)
        precondition(integers.map { $0 == json } ?? true, "one text is read in two ways")
    } catch { preconditionFailure("the written text cannot be read: \(error)") }
    for member in json.members ?? [] { precondition(json[member.key] == member.value, "a member is not found") }
}
