import GlassBase
import GlassMarkets
import GlassSchema

extension LinkSituation {
    /// The situation as a line of text.
    var line: DisplayText {
        let options = "--context \(context.commandText)"
        guard let from else { return "routed with: \(options)" }
        let end = until.map { " until \(ContextAttribute.commandText(of: .date($0)))" } ?? ""
        return "routed from \(ContextAttribute.commandText(of: .date(from)))\(end): \(options)"
    }

    var json: JSONObject {
        [
            "context": context.commandText, "from": from.map { ContextAttribute.commandText(of: .date($0)) },
            "until": until.map { ContextAttribute.commandText(of: .date($0)) },
        ]
    }
}
