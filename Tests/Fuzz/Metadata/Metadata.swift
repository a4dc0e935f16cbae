import GlassBase
import GlassDelivery

// Metadata files: whatever their bytes are, they are verified or an error names role and rule, and unsigned data is
// never trusted. The first byte selects the file.
//
// libFuzzer calls from one thread.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMetadata(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    guard let kind = input.first else { return 0 }
    FuzzedMetadata.check(Array(input.dropFirst()), kind: kind)
    return 0
}
