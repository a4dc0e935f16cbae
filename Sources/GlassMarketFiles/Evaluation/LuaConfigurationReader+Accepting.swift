import GlassBase
import GlassMarkets
package import GlassSchema
import LuaBridge

extension LuaConfigurationReader {
    /// An `accept` whose value is being read.
    struct Accepting {
        /// The number of elements of the value's path.
        let depth: Int
        /// Where the value is written so far, with its key, in each file.
        var places: [MarketAcceptance.Place] = []
    }

    /// The maximum size of a reason, in bytes.
    private static let maximumReasonLength = 200

    /// The value of `accept { value, rule = "reason" }`, as if it was written alone.
    mutating func readAccepted(
        _ table: LuaTable, at path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode {
        let outer = try place(of: path)
        guard let value = table.array.first, table.array.count == 1 else {
            try addInvalid(
                outer.value, path, subject: "\(table.array.count)",
                "accept expects one value, got \(table.array.isEmpty ? "none" : "\(table.array.count)")",
                hint: "write accept { \(table.array.isEmpty ? "value" : "{ … }"), rule = \"the reason\" }")
            leaveOut(below: path)
            return ConfigurationNode(.emptyTable, position: outer.value, keyPosition: outer.key)
        }
        let rules = table.fields
        if rules.isEmpty {
            try addInvalid(
                outer.value, path, subject: "", "accept does not name a rule",
                hint: "write the rule that check shows and the reason, such as sharedURL = \"the reason\"")
        }
        // Inside, the path of the value continues that of the table's first element.
        let accepted = try collectingPlaces(atDepth: path.elements.count) {
            reader throws(WorkBudget.Exceeded) in try reader.read(value, at: path)
        }
        var node = accepted.node
        node.keyPosition = outer.key
        var places = accepted.places
        // A finding may be at the key. The call itself is between the key and the value.
        for position in [outer.key, outer.value] { places.add(MarketAcceptance.Place(position, position)) }
        for entry in rules { try addAcceptance(entry, of: path, places) }
        return node
    }

    private mutating func addAcceptance(
        _ entry: LuaTable.Field, of path: ConfigurationPath, _ places: [MarketAcceptance.Place]
    ) throws(WorkBudget.Exceeded) {
        guard let name = entry.key.stringValue else {
            return try addInvalid(
                try place(of: path).value, path, subject: entry.key.literal,
                "accept expects rule names, got \(entry.key.literal)", hint: "write rule = \"the reason\"")
        }
        let written = try place(of: path.appending(name))
        if let note = Finding(ofRetiredRule: name, in: "accept", at: written.key, path: path) {
            return try addFinding(note)
        }
        guard let rule = FindingCode(rawValue: name) else {
            let names = FindingCode.allCases.filter(\.canBeAccepted).map(\.rawValue)
            let advice = try Advice.nearest(to: name, in: names, budget: workBudget)
            return try addInvalid(
                written.key, path, subject: name, "there is no rule \(name.quotedForMessage)",
                advice: advice ?? Advice("write the rule that check shows, such as sharedURL"))
        }
        guard rule.canBeAccepted else {
            return try addInvalid(
                written.key, path, subject: name, "\(name) cannot be accepted: only warnings about markets can",
                hint: "fix what it reports, and remove the accept")
        }
        var (reason, expires) = (entry.value, nil as String?)
        if case .table(let options) = entry.value {
            reason = options["reason"] ?? .nil
            if let last = options["expires"], !last.isNil {
                guard let date = last.stringValue, StringFormat.date.matches(date) else {
                    return try addInvalid(
                        written.value, path, subject: "\(name) expires",
                        "expires must be a date, got \(last.literal)", hint: "write expires = \"2027-05-31\"")
                }
                expires = date
            }
            let known = options.fields.allSatisfy { ["expires", "reason"].contains($0.key.stringValue) }
            guard known, options.array.isEmpty else {
                return try addInvalid(
                    written.value, path, subject: "\(name) options", "an accept can have only a reason and expires",
                    hint: "write \(name) = { reason = \"…\", expires = \"2027-05-31\" }")
            }
        }
        guard let text = reason.stringValue, text.contains(where: { !$0.isWhitespace }),
            text.utf8.count <= Self.maximumReasonLength
        else {
            return try addInvalid(
                written.value, path, subject: "\(name) reason",
                "\(name) needs a reason: a sentence of at most \(Self.maximumReasonLength) bytes",
                hint: "write \(name) = \"why this is intended\"")
        }
        add(
            MarketAcceptance(
                rule, reason: text, expires: expires, position: written.key, path: path, places: places))
    }

    private mutating func addInvalid(
        _ position: SourcePosition, _ path: ConfigurationPath, subject: String, _ message: String,
        hint: String? = nil, advice: Advice? = nil
    ) throws(WorkBudget.Exceeded) {
        try addFinding(
            Finding(
                .invalidAccept, at: position, path: path, subject: subject, message, advice: advice ?? Advice(hint)))
    }
}

extension [MarketAcceptance.Place] {
    /// Adds a range, combined with the one of the same file.
    mutating func add(_ place: MarketAcceptance.Place) {
        if let index = firstIndex(where: { $0.start.file == place.start.file }) {
            self[index].formUnion(place)
        } else {
            append(place)
        }
    }
}

extension FindingCode {
    /// Whether its findings can be warnings about markets, which a team can accept.
    package var canBeAccepted: Bool {
        switch self {
        case .syntax, .runtime, .limit, .denied, .tooLarge, .unreadable, .include, .notATable, .unrepresentable,
            .unknownKey, .wrongType, .outOfRange, .invalidFormat, .invalidChoice, .missingKey, .duplicate,
            .secretMisplaced, .secretNotAllowed, .idMismatch, .inheritanceCycle, .missingBase, .misplacedDirective,
            .unknownRoutable, .unknownPrecondition, .unknownHandler, .invalidPattern, .routeConflict, .missingService,
            .serviceCycle, .notRemote, .policy, .policyFailed, .acceptExpired, .acceptUnused, .invalidAccept,
            .unknownAttribute, .unknownCondition, .conditionCycle, .notExhaustive, .variesTooOften,
            .tooManySituations, .invalidWeights, .invalidUnit, .layerOverlap, .omittedFindings:
            false
        default: true
        }
    }
}
