import GlassMarkets
import GlassPlatform
@testable import GlassSchema
import LuaBridge
import TestSupport

/// A slip in a market file.
struct MarketSlip: CustomStringConvertible {
    /// The kind of change, such as `a letter`.
    let kind: MarketSlips.Kind
    /// The file, relative to the markets folder.
    let file: String
    /// The file with the slip.
    let text: String
    /// The lines at which it may be reported: its own; for a bracket also that of its counterpart, for a duplicated
    /// line the second one.
    let lines: Set<Int>
    /// The original and the changed text.
    let change: String

    var description: String { "\(file):\(lines.sorted()): \(kind): \(change)" }
}

/// Generates slips in market files from a seed.
///
/// Structure is everything known to the schema: declared keys, directives, IDs of routables and markets, preconditions,
/// choices. A name that the file itself defines, such as that of a header or of its own routable, is a value, and so is
/// any other text.
struct MarketSlips {
    enum Kind: String, CaseIterable {
        case letter = "a letter"
        case type = "another type"
        case comma = "a comma"
        case quote = "a quote"
        case assign = "a ="
        case bracket = "a bracket"
        case line = "a line twice"
        case pattern = "a pattern"
    }

    private var random: SplitMix64
    private let files: [MarketSlipSites]

    init(seed: UInt64, in files: [MarketSlipSites]) {
        random = SplitMix64(state: seed)
        self.files = files
    }

    /// The next slip.
    mutating func next() -> MarketSlip {
        while true {
            let kind = pick(Kind.allCases)
            if let slip = slip(kind, in: pick(files)) { return slip }
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func slip(_ kind: Kind, in file: MarketSlipSites) -> MarketSlip? {
        switch kind {
        case .letter: return letter(in: file)
        case .type:
            let site = pick(file.values)
            let others = site.others
            return others.isEmpty ? nil : file.replacing(site.range, by: pick(others), kind, lines: [site.line])
        case .comma: return removed(kind, pick(file.commas), in: file)
        case .assign: return removed(kind, pick(file.assigns), in: file)
        case .quote: return removed(kind, pick(file.quotes), in: file)
        case .bracket: return removed(kind, pick(file.brackets), in: file)
        case .line:
            let line = pick(file.lines)
            let twice = String(decoding: file.bytes[line.range], as: UTF8.self)
            return file.replacing(line.range, by: twice + twice, kind, lines: [line.line, line.line + 1])
        case .pattern:
            guard !file.patterns.isEmpty else { return nil }
            let (site, form) = pick(file.patterns)
            let text = String(decoding: file.bytes[site.range], as: UTF8.self)
            let written =
                switch form {
                case .route: pick(Self.routeBreaks)(text)
                case .template: pick(Self.templateBreaks)(text)
                case .text: pick(Self.textBreaks)(text)
                }
            return written == text ? nil : file.replacing(site.range, by: written, kind, lines: [site.line])
        }
    }

    private func removed(_ kind: Kind, _ site: MarketSlipSites.Site, in file: MarketSlipSites) -> MarketSlip {
        file.replacing(site.range, by: "", kind, lines: site.lines)
    }

    /// Ways to break the syntax of a route pattern, where applicable.
    private static let routeBreaks: [@Sendable (String) -> String] = [
        { $0.replacing(")", with: "", maxReplacements: 1) }, { $0.replacing(":", with: "::", maxReplacements: 1) },
        { $0.replacing(":", with: ":1", maxReplacements: 1) }, { $0.replacing("/", with: "//", maxReplacements: 1) },
        { $0.replacing("(int)", with: "(itn)") }, { $0.replacing("(int)", with: "()") },
        { $0.replacing("|", with: "||", maxReplacements: 1) }, { $0.replacing("*", with: "**") },
        { $0.contains("*") ? $0 + "/more" : $0 + "/:" }, { $0 + "??" }, { $0 + "/(" }, { $0 + "/:x:y" },
    ]

    /// Ways to break a template with names in braces.
    private static let templateBreaks: [@Sendable (String) -> String] = [
        { $0.replacing("{", with: "", maxReplacements: 1) }, { $0.replacing("}", with: "", maxReplacements: 1) },
        { $0 + "{" }, { "}" + $0 }, { $0.replacing("{", with: "{{", maxReplacements: 1) }, { $0 + "{}" },
    ]

    /// Ways to break a text pattern.
    private static let textBreaks: [@Sendable (String) -> String] = [
        { $0.replacing("[", with: "", maxReplacements: 1) }, { $0.replacing("]", with: "", maxReplacements: 1) },
        { "[" + $0 }, { $0 + "[" }, { $0 + "(" }, { $0 + ")" }, { "*" + $0 }, { $0 + "{2" }, { $0 + "{4,2}" },
    ]

    private mutating func letter(in file: MarketSlipSites) -> MarketSlip? {
        let site = pick(file.names)
        var text = Array(file.bytes[site.range])
        let index = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text.remove(at: index)
        case 1: text.insert(text[index], at: index)
        default:
            guard index + 1 < text.count, text[index] != text[index + 1] else { return nil }
            text.swapAt(index, index + 1)
        }
        return file.replacing(site.range, by: String(decoding: text, as: UTF8.self), .letter, lines: site.lines)
    }
}
