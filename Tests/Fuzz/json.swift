// Any bytes: they are JSON of one meaning or an error with its place, and what was read is written and read back the same.

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
    // An escape is at most six bytes for one; a number of few digits may be one of 17.
    precondition(text.count <= bytes.count * 24 + 24)
    do throws(StrictJSONError) {
        let again = try StrictJSON(reading: text, limit: text.count, numbers: .all)
        precondition(again == json, "what was written is read as something else")
        precondition(again.text() == text && again.canonical() == json.canonical(), "two forms of one value")
        let integers: StrictJSON? = json.hasFractions ? nil : try StrictJSON(reading: bytes, limit: bytes.count)
        precondition(integers.map { $0 == json } ?? true, "two readings of one text")
    } catch { preconditionFailure("what was written cannot be read: \(error)") }
    for member in json.members ?? [] { precondition(json[member.key] == member.value, "a member is not found") }
}
