import Foundation

// Files that others wrote, which no schema describes: an app's property list, and what git says of a commit. Whatever the
// bytes are, the answer is bounded.
//
// libFuzzer calls from one thread. GLASS_FUZZ says which target it is.

/// One run of the fuzzer.
///
/// - Parameters:
///   - data: The input.
///   - count: Its length.
/// - Returns: 0.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFiles(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: data, count: count))
    if readsListings { FuzzedListing.check(input) } else { FuzzedPropertyList.check(input) }
    return 0
}

private let readsListings = ProcessInfo.processInfo.environment["GLASS_FUZZ"] == "listing"
