import Foundation
import GlassAuthoring
import GlassBase
import GlassDeepLinking
import GlassMarketFiles
package import GlassMarkets
import GlassSchema

// What the commands, the inspector's page, and the publishing program show of a type, in the format of JSON.md. The keys
// are written here, so that a property can be renamed without changing the format.

// MARK: Findings

extension Finding {
    var json: JSONObject {
        [
            "severity": severity.rawValue,
            "code": rule,
            "fingerprint": fingerprint,
            "file": position?.file,
            "line": position?.line,
            "column": position?.column,
            "end": end?.place,
            "fix": fix?.json,
            "source": SourceExcerpt(self)?.text,
            "key": path.elements.isEmpty ? nil : path.description,
            "message": message,
            "hint": hint,
            "context": situation?.commandText,
            "traceback": traceback,
            "related": related.map { related in
                var json = related.position.json
                json["message"] = related.message
                return json
            },
        ]
    }
}

extension SourcePosition {
    var json: JSONObject { ["file": file, "line": line, "column": column] }

    /// The position in a file that another key names.
    fileprivate var place: JSONObject { ["line": line, "column": column] }
}

extension Fix {
    fileprivate var json: JSONObject {
        let edits: [JSONObject] = edits.map {
            ["file": $0.start.file, "start": $0.start.place, "end": $0.end.place, "text": $0.text]
        }
        return ["title": title, "sure": isUnambiguous, "edits": edits]
    }
}

// MARK: Scripts

extension ScriptFailure {
    var json: JSONObject {
        [
            "message": message, "position": position, "source": SourceExcerpt(self)?.text, "hint": hint,
            "traceback": traceback,
        ]
    }
}

extension ScriptReport.Test {
    var json: JSONObject {
        [
            "name": name, "passed": failure == nil, "milliseconds": duration.milliseconds, "failure": failure?.json,
        ]
    }
}

// MARK: Links

extension DispatchResult {
    /// The outcome of a link, with suggestions for one that is not routed.
    func json(_ nearest: [NearestRoute] = [], market: String) -> JSONObject {
        let query: [JSONObject] = queryItems.map { ["name": $0.name, "value": $0.value] }
        var json: JSONObject = [
            "outcome": outcome.name,
            "market": market,
            "routable": routableID,
            "pattern": pattern,
            "parameters": parameters.dictionary,
            "query": query,
            "reason": reason,
            "navigation": navigation.json,
            "nearMisses": nearest.map(\.json),
        ]
        // The one key that may be absent: most links have no value with an escaped delimiter.
        let raw = parameters.ambiguousRawValues
        if !raw.isEmpty { json["rawParameters"] = raw }
        return json
    }
}

extension NavigationSnapshot {
    /// The tab and the screens.
    var json: JSONObject {
        let screens: [JSONObject] = screens.map { ["name": $0.name, "parameters": $0.parameters] }
        return ["tab": tab, "screens": screens]
    }
}

extension LinkExplanation {
    /// Why a link is routed as it is, with suggestions from other markets.
    func json(_ others: [NearestRoute] = [], market: String) -> JSONObject {
        let candidates: [JSONObject] = candidates.map {
            [
                "pattern": $0.declaration.pattern, "routable": $0.declaration.routableID, "wins": $0.isWinner,
                "reason": $0.reason,
            ]
        }
        // The outcome has the same keys as that of a link that is opened.
        var json = result.json(nearMisses.map { NearestRoute($0, in: market) } + others, market: market)
        json["link"] = result.text
        json["refusal"] = refusal?.description
        json["scheme"] = scheme
        json["host"] = host
        json["segments"] = segments
        json["candidates"] = candidates
        json["takers"] = takers
        return json
    }
}

// MARK: Comparing

extension MarketMatrix {
    /// The state and value of each key in each market; only of some keys if the user selects them.
    func json(_ rows: [Row]? = nil) -> JSONObject {
        ["markets": markets, "rows": (rows ?? self.rows).map(\.json)]
    }
}

extension MarketMatrix {
    /// The state and value of keys in each situation of one market.
    func json(_ rows: [Row], ofSituationsOf market: String) -> JSONObject {
        ["market": market, "columns": markets, "rows": rows.map(\.json)]
    }
}

extension MarketMatrix {
    /// The state and value of each key in all columns but the last ones. The last columns are the same markets in the
    /// default situation, and what differs there is in the cells.
    func json(besideLast count: Int) -> JSONObject {
        let rows: [JSONObject] = rows.map { row in
            let own = row.cells.dropLast(count)
            let cells = zip(own, row.cells.suffix(count)).map { cell, other in
                var json = cell.json
                json["otherwise"] = cell.state == other.state && cell.value == other.value ? nil : other.json
                return json
            }
            return [
                "key": row.path.description, "missing": own.contains { $0.state == .missing }, "cells": cells,
            ]
        }
        return ["markets": Array(markets.dropLast(count)), "rows": rows]
    }
}

extension MarketMatrix.Row {
    fileprivate var json: JSONObject {
        ["key": path.description, "missing": isMissing, "cells": cells.map(\.json)]
    }
}

extension MarketMatrix.Cell {
    fileprivate var json: JSONObject {
        var base: String?
        if case .inherited(let id) = state { base = id }
        return [
            "state": state == .repeated ? "sameAgain" : state.name, "from": base, "value": value.map(JSONValue.init),
            "position": position?.description, "defaultValue": defaultValue.map(JSONValue.init),
        ]
    }
}

extension MarketDifference {
    /// The value of each key and the links of each routable, by market, with secrets by name.
    package var json: JSONObject { json(beside: []) }

    /// The difference, with what only other situations show.
    ///
    /// - Parameter changes: The difference of each market from the same market in another situation, whose side is shown
    ///   where it differs.
    package func json(with situations: [SituationDifference], changes: [MarketDifference?] = []) -> JSONObject {
        var json = json(beside: changes)
        json["situations"] = situations.map { situation in
            var json = situation.difference.json
            json["context"] = situation.context.commandText
            return json
        }
        return json
    }

    private func json(beside changes: [MarketDifference?]) -> JSONObject {
        let otherKeys = changes.map { change in
            Dictionary(uniqueKeysWithValues: (change?.keys ?? []).map { ($0.path, $0.sides[1]) })
        }
        let otherLinks = changes.map { change in
            Dictionary(uniqueKeysWithValues: (change?.links ?? []).map { ($0.routable, $0.sides[1]) })
        }
        let keys = keys.map { key in key.json(otherwise: otherKeys.map { $0[key.path] }) }
        let links: [JSONObject] = links.map { link in
            var sides = link.sides.map { $0.json }
            for (index, others) in otherLinks.enumerated() {
                sides[index]["otherwise"] = others[link.routable].map { $0.json }
            }
            return ["routable": link.routable, "sides": sides]
        }
        return ["labels": labels, "keys": keys, "links": links, "flags": flags.map(\.json)]
    }
}

extension LinkDifference.Side? {
    fileprivate var json: JSONObject { ["links": self?.links ?? [], "waitsFor": self?.waitsFor] }
}

extension FlagShift {
    /// The units that move, in percent of all.
    fileprivate var json: JSONObject {
        [
            "flag": flag, "rule": rule, "before": before, "after": after, "rebucketing": rebucketing,
            "moves": moves.map { ["from": $0.from, "to": $0.to, "percent": $0.percent] as JSONObject },
        ]
    }
}

extension KeyDifference {
    /// The key, with the differences inside lists, and with the sides in another situation if they are known.
    fileprivate func json(otherwise others: [KeyDifference.Side?]) -> JSONObject {
        var sides = sides.map(\.json)
        for (index, other) in others.enumerated() { sides[index]["otherwise"] = other?.json }
        return [
            "key": path.description, "kind": kind.rawValue, "secret": isSecret, "sides": sides,
            "parts": parts.map { json(of: $0) },
        ]
    }

    private func json(of part: StructuralDifference<ConfigurationValue>) -> JSONObject {
        let (kind, sides): (String, [(value: ConfigurationValue?, elements: [ConfigurationValue])]) =
            switch part.form {
            case .values(let values): ("values", values.map { ($0, []) })
            case .elements(let elements): ("elements", elements.map { (nil, $0.map(\.value)) })
            case .order: ("order", [])
            }
        let cells: [JSONObject] = sides.map {
            ["value": $0.value.map(JSONValue.init), "elements": $0.elements.map(JSONValue.init)]
        }
        return ["path": "\(path)\(part.path)", "kind": kind, "sides": cells]
    }
}

extension KeyDifference.Side {
    fileprivate var json: JSONObject {
        let state =
            switch self {
            case .value: "value"
            case .removed: "removed"
            case .missing: "missing"
            }
        return ["state": state, "value": value.map(JSONValue.init), "position": position?.description]
    }
}

extension Review {
    var json: JSONObject {
        let counts: JSONObject = [
            "breaking": count(.breaking), "risky": count(.risky), "note": count(.note),
            "accepted": changes.count { $0.accepted != nil },
        ]
        return [
            "base": base.json, "head": head.json, "changes": changes.map(\.json), "unchanged": unchanged,
            "notices": notices, "counts": counts,
        ]
    }
}

extension Review.Side {
    fileprivate var json: JSONObject { ["name": name, "commit": commit] }
}

extension Change {
    fileprivate var json: JSONObject {
        [
            "rule": rule,
            "severity": severity.rawValue,
            "market": market,
            "alsoIn": alsoIn,
            "situation": situation,
            "key": path?.description,
            "summary": summary,
            "before": before?.json,
            "after": after?.json,
            "witness": witness,
            "recorded": recorded?.json,
            "fingerprint": fingerprint,
            "accepted": accepted?.json,
        ]
    }
}

extension Change.Acceptance {
    fileprivate var json: JSONObject { ["reason": reason, "expires": expires] }
}

// MARK: Watching

extension MarketEvent {
    /// The event, with what only other situations show of a change.
    func json(with situations: [SituationDifference] = []) -> JSONObject {
        switch self {
        case .applied(let change):
            [
                "event": "applied", "market": id, "revision": change.after.digest, "previous": change.before?.digest,
                "difference": change.difference?.json(with: situations), "warnings": change.warnings.map(\.json),
                "time": change.time.formatted(.iso8601),
            ]
        case .rejected(let rejection):
            [
                "event": "rejected", "market": id, "revision": rejection.revision?.digest,
                "kept": rejection.kept?.digest, "findings": rejection.findings.map(\.json),
                "time": rejection.time.formatted(.iso8601),
            ]
        case .restored(_, let revision, let time):
            ["event": "restored", "market": id, "revision": revision.digest, "time": time.formatted(.iso8601)]
        case .retired(_, let revision, let time):
            ["event": "retired", "market": id, "revision": revision.digest, "time": time.formatted(.iso8601)]
        }
    }
}
