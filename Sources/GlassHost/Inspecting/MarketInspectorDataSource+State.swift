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
        let (ids, wanted) = (store.statuses.map(\.id), session.options.marketID)
        return [
            "folder": loader.folder.path,
            // Relative file names are based on it.
            "root": FileManager.default.currentDirectoryPath,
            "program": ProgramName.current,
            "market": ids.contains(wanted) ? wanted : ids.first ?? "",
            "editor": editor,
            "markets": store.statuses.map { state(of: $0, own[$0.id]) },
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
