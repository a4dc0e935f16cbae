import GlassBase
import GlassContainer
import GlassDeepLinking

/// The outcome of one link of a replay, as a line of JSON.
struct ReplayRecord {
    let link: String
    let outcome: String
    let routable: String?
    let pattern: String?
    let parameters: [(name: String, value: String)]
    let reason: String?

    init(_ result: DispatchResult) {
        link = result.text
        outcome = result.outcome.name
        routable = result.routableID
        pattern = result.pattern
        parameters = result.parameters.elements.map { ($0.name, $0.value) }
        reason = result.reason
    }

    /// The line, with its keys in order. Written by hand, because a million encoders are slow.
    var json: String {
        var text = "{\"link\":"
        text.appendJSON(link)
        text += ",\"outcome\":\"\(outcome)\",\"parameters\":{"
        for (offset, parameter) in parameters.sorted(by: { $0.name < $1.name }).enumerated() {
            if offset > 0 { text += "," }
            text.appendJSON(parameter.name)
            text += ":"
            text.appendJSON(parameter.value)
        }
        text += "},\"pattern\":"
        text.appendJSON(orNull: pattern)
        text += ",\"reason\":"
        text.appendJSON(orNull: reason)
        text += ",\"routable\":"
        text.appendJSON(orNull: routable)
        return text + ",\"schema\":1}"
    }

    /// The outcome of the link, in a few words.
    var summary: String { Self.summary(outcome, routable, pattern, reason) }

    /// The outcome of a link in a recorded file, in a few words.
    static func summary(_ outcome: String, _ routable: String?, _ pattern: String?, _ reason: String?) -> String {
        let place = [routable, pattern.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
        let why = reason.map { ": \($0)" } ?? ""
        return "\(outcome)\(place.isEmpty ? "" : " \(place)")\(why)"
    }
}

extension String {
    fileprivate mutating func appendJSON(orNull text: String?) {
        if let text { appendJSON(text) } else { self += "null" }
    }
}
