import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// The markets and their states.
struct StateAnswer: Encodable {
    struct Entry: Encodable {
        let id: String
        @Nullable var name: String?
        let file: String
        /// The version in use.
        @Nullable var revision: String?
        @Nullable var since: String?
        /// Whether the version in use matches the files on disk.
        let isCurrent: Bool
        /// The findings of the files on disk or, if that version is in use, its warnings.
        let findings: [FindingWithCaret]
        let schemes: [String]
        let preconditions: [String]
    }

    let folder: String
    /// The folder that relative file names are based on.
    let root: String
    let program: String
    /// The market that is shown first.
    let market: String
    @Nullable var editor: String?
    let markets: [Entry]

    init(_ markets: MarketInspectorDataSource, editor: String?, root: String) {
        let folder = markets.loader.folder
        self.folder = folder.path
        self.root = root
        self.editor = editor
        program = ProgramName.current
        let (ids, wanted) = (markets.store.statuses.map(\.id), markets.session.options.marketID)
        market = ids.contains(wanted) ? wanted : ids.first ?? ""
        self.markets = markets.store.statuses.map { status in
            let market = markets.store.market(status.id)
            let findings = status.isCurrent ? market?.warnings : status.lastRejected?.findings
            return Entry(
                id: status.id, name: market?.definition.name, file: folder.file(of: status.id),
                revision: status.applied.map { "\($0.revision)" }, since: status.applied?.time.formatted(.iso8601),
                isCurrent: status.isCurrent, findings: (findings ?? []).map(FindingWithCaret.init),
                schemes: market?.definition.deepLinking.schemes ?? [],
                preconditions: market?.preconditions.names ?? [])
        }
    }
}

/// A finding, with the offset of the caret below its source line, in which tabs are expanded and which is truncated if
/// it is long.
struct FindingWithCaret: Encodable {
    private let finding: FindingOutput
    private let caret: Int?

    private enum Key: String, CodingKey {
        case caret
    }

    init(_ finding: Finding) {
        self.finding = FindingOutput(finding)
        caret = SourceExcerpt(finding)?.offset
    }

    func encode(to encoder: any Encoder) throws {
        try finding.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(caret, forKey: .caret)
    }
}
