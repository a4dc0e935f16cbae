import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// The markets and their states, without the events.
    func state(_ markets: PageMarkets) throws -> JSONObject {
        let pages = try markets.all()
        let own = Dictionary(uniqueKeysWithValues: pages.map { ($0.own.id, $0.own) })
        // In the order of the other views, followed by markets that have no valid version yet.
        let order = Dictionary(uniqueKeysWithValues: pages.enumerated().map { ($1.own.id, $0) })
        let statuses = store.statuses.sorted { (order[$0.id] ?? .max, $0.id) < (order[$1.id] ?? .max, $1.id) }
        let ids = statuses.map(\.id)
        let wanted =
            session.options.namedMarket ?? MarketChoice(ids: ids, ofModule: session.program.module.defaultMarket).usual
        return [
            "folder": loader.folder.path,
            // Relative file names are based on it.
            "root": FileManager.default.currentDirectoryPath,
            "program": ProgramName.current,
            "market": wanted.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first ?? "",
            "editor": editor,
            "markets": statuses.map { state(of: $0, own[$0.id]) },
            "situation": situation(markets, pages),
        ]
    }

    private func state(of status: MarketStatus, _ market: Market?) -> JSONObject {
        // The findings of the files on disk or, if that version is in use, its warnings.
        let findings = (status.isCurrent ? market?.warnings : status.lastRejected?.findings) ?? []
        return [
            "id": status.id,
            "name": market?.definition.name,
            "file": loader.folder.file(of: status.id),
            "revision": status.applied?.revision.description,
            "since": status.applied?.time.formatted(.iso8601),
            "isCurrent": status.isCurrent,
            "findings": findings.map(\.jsonWithCaret),
            "schemes": market?.definition.deepLinking.schemes ?? [],
            "preconditions": market?.preconditions.names ?? [],
        ]
    }
}

extension Finding {
    /// The finding with the offset of the caret below its source line, in which tabs are expanded.
    fileprivate var jsonWithCaret: JSONObject {
        var json = json
        json["caret"] = SourceExcerpt(self)?.offset
        return json
    }
}
