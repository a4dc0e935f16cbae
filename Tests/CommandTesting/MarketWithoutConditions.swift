package import Foundation

/// Removes the conditions, overlays and flags, the last keys of the file, from a copy of a real market, so that none of its
/// values depends on the situation.
package func removeConditions(of market: URL) throws {
    let text = try String(contentsOf: market, encoding: .utf8)
    let starts = ["conditions", "overlays"].compactMap { text.firstRange(of: "\n  \($0) = {")?.lowerBound }
    guard let start = starts.min() else { throw CocoaError(.fileReadCorruptFile) }
    try Data((text[..<start] + "\n}\n").utf8).write(to: market)
}
