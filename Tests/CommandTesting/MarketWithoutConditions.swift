package import Foundation

/// Removes the conditions and overlays, the last keys of the file, from a copy of a real market, so that none of its values
/// depends on the situation.
package func removeConditions(of market: URL) throws {
    let text = try String(contentsOf: market, encoding: .utf8)
    guard let conditions = text.firstRange(of: "\n  conditions = {") else { throw CocoaError(.fileReadCorruptFile) }
    try Data((text[..<conditions.lowerBound] + "\n}\n").utf8).write(to: market)
}
