import Foundation
import GlassBase
public import GlassSchema

/// The reason why a compiled market could not be read or written.
public enum CompiledMarketError: DescriptiveError, Equatable {
    /// There is no compiled market with this id.
    case noSuchMarket(_ id: String, place: String, suggestion: String?, available: [String])
    /// The folder or the file cannot be read.
    case unreadable(_ path: String, reason: String)
    /// The file is larger than a compiled market may be.
    case tooLarge(_ file: String, limit: Int)
    /// The file is not JSON in the form of compiled markets.
    case malformed(_ file: String, line: Int, column: Int, problem: String)
    /// The file is JSON, but contains a value that is not allowed in a compiled market.
    case unexpected(_ file: String, path: ConfigurationPath, problem: String)
    /// The file has a format that was used before the first release.
    case formerFormat(_ file: String, found: Int, known: Int)
    /// The file has a format of a later version of this package.
    case newerFormat(_ file: String, found: Int, known: Int)
    /// The file has a condition, or the type of an attribute, of a later version of this package.
    case unknownForm(_ file: String, path: ConfigurationPath, problem: String, known: Int)
    /// The market contains something that a compiled market cannot contain.
    case notPortable(_ id: String, findings: [Finding])

    /// A message with the problem, its position and a solution.
    public var description: String {
        switch self {
        case .noSuchMarket(let id, let place, let suggestion, let available):
            "there is no compiled market \(id.quotedForMessage) in \(place)"
                + (suggestion.map { "; did you mean \"\($0)\"?" }
                    ?? (available.isEmpty ? "" : "; the markets are \(available.prefix(50).joined(separator: ", "))"))
        case .unreadable(let path, let reason):
            "cannot read \(path): \(reason)"
        case .tooLarge(let file, let limit):
            "\(file) has more than \(limit.grouped) bytes, which is the maximum for a compiled market: create it again"
        case .malformed(let file, let line, let column, let problem):
            "\(file):\(line):\(column): \(problem): create it again"
        case .unexpected(let file, let path, let problem):
            "\(file): \(path.elements.isEmpty ? "" : "\(path.description.prefix(256)): ")\(problem): create it again"
        case .formerFormat(let file, let found, let known):
            "\(file) has the format \(found), which was used before the first release; this version reads \(known): "
                + "compile the market again"
        case .newerFormat(let file, let found, let known):
            "\(file) has the format \(found), but this version reads \(known): update the app, or compile the "
                + "market with the version that the app has"
        case .unknownForm(let file, let path, let problem, let known):
            "\(file): \(path.description.prefix(256)): \(problem), so the file needs a later format than \(known): update "
                + "the app, or compile the market with the version that the app has"
        case .notPortable(let id, let findings):
            "market \(id.quotedForMessage) cannot be compiled:\n" + findings.map(\.description).joined(separator: "\n")
        }
    }
}
