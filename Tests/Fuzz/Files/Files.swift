import Foundation

// Files from other programs, without a schema: an app's property list, and git's output about a commit. Whatever the
// bytes are, the result is limited.
//
// libFuzzer calls from one thread. GLASS_FUZZ names the target.

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
