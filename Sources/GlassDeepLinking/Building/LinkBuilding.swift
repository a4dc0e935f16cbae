package import GlassBase

/// The beginning of a built link.
public enum LinkPrefix: Sendable, Equatable {
    /// A custom scheme, such as `walmart`.
    case scheme(String)
    /// A universal link on the given https host.
    case universal(host: String)
}

/// The reason that a link could not be built.
public enum LinkBuildingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The table has no route for the routable.
    case unknownRoutable(String)
    /// No route of the routable accepts the given parameters. Contains each pattern with the value that it requires or
    /// rejects.
    case unsuitableParameters(String, [String])
    /// The market has neither a scheme nor a universal host for building the link. A wildcard such as `*.walmart.ca`
    /// does not name a host.
    case noSchemeOrHost
    /// The link to translate is not routable in its own market.
    case unroutable(String)

    /// A description of the problem and its fix.
    public var description: String {
        switch self {
        case .unknownRoutable(let id): "no route leads to \"\(id)\"; register the routable or use another id"
        case .unsuitableParameters(let id, let reasons):
            "no link to \"\(id)\" can be built: \(reasons.joined(separator: "; "))"
        case .noSchemeOrHost: "the market has no scheme, or no host without a wildcard, for the link; set one"
        case .unroutable(let text): "\"\(text)\" has no route in its own market; correct the link"
        }
    }
}

extension RouteTable {
    /// Builds a link to a routable.
    ///
    /// Uses the route that takes the most parameters, or the first declared one if there is a tie. Parameters that its
    /// pattern does not name become query items. The result is matched again, so that a link is returned only if it
    /// routes back to the same routable with the same values.
    ///
    /// - Parameters:
    ///   - routableID: The routable's id.
    ///   - parameters: Values by name.
    ///   - form: The beginning of the link.
    /// - Returns: The link.
    /// - Throws: ``LinkBuildingError`` if no route of the routable fits.
    /// - Complexity: O(number of routes).
    public func link(
        to routableID: String, parameters: [String: String] = [:], form: LinkPrefix
    ) throws(LinkBuildingError) -> String {
        try unlimited { try link(to: routableID, parameters: parameters, form: form, budget: $0) }
    }

    /// Builds a link to a routable within a budget.
    package func link(
        to routableID: String, parameters: [String: String], form: LinkPrefix, budget: WorkBudget
    ) throws -> String {
        let size = parameters.reduce(1) { $0 + 1 + ($1.key.utf8.count + $1.value.utf8.count) / 64 }
        var reasons: [String] = []
        var best: (used: Int, text: String)?
        var isKnown = false
        for ordinal in declarations.indices {
            try budget.spend(on: .linking)
            guard declarations[ordinal].routableID == routableID else { continue }
            try budget.spend(size + patterns[ordinal].segments.count, on: .linking)
            isKnown = true
            let pattern = patterns[ordinal]
            let names = pattern.parameterNames + pattern.requiredQuery
            let used = names.count { parameters[$0]?.isEmpty == false }
            if let best, best.used >= used { continue }
            guard let text = RouteTable.write(pattern, parameters, form, &reasons) else { continue }
            guard let parsed = try? DeepLink(text),  // a link that the gate refuses doesn't route back either
                let match = try bestMatch(for: parsed, budget), match.declaration.routableID == routableID,
                parameters.allSatisfy({ $0.value == (match.parameters[$0.key] ?? parsed.queryValue($0.key)) })
            else {
                reasons.append("\"\(pattern)\": \"\(text)\" does not route back to it")
                continue
            }
            best = (used, text)
        }
        guard isKnown else { throw LinkBuildingError.unknownRoutable(routableID) }
        guard let best else {
            let most = 10
            let omitted = reasons.count - most
            if omitted > 0 { reasons = reasons.prefix(most) + ["and \(omitted) more"] }
            throw LinkBuildingError.unsuitableParameters(routableID, reasons)
        }
        return best.text
    }

    private func bestMatch(for link: DeepLink, _ budget: WorkBudget) throws(WorkBudget.Exceeded) -> RouteMatch? {
        try budget.spend(visits(for: link), on: .linking)
        return bestMatch(for: link)
    }

    /// Builds a link from a feature's typed parameters, using their ``FeatureParameters/texts``.
    ///
    /// - Parameters:
    ///   - routableID: The routable's id.
    ///   - parameters: The typed parameters, such as ``ItemParameters``.
    ///   - form: The beginning of the link.
    /// - Returns: The link.
    /// - Throws: ``LinkBuildingError`` if no route of the routable fits.
    public func link(
        to routableID: String, parameters: some FeatureParameters, form: LinkPrefix
    ) throws(LinkBuildingError) -> String {
        try link(to: routableID, parameters: parameters.texts.compactMapValues(\.self), form: form)
    }

    private static func write(
        _ pattern: RoutePattern, _ parameters: [String: String], _ form: LinkPrefix, _ reasons: inout [String]
    ) -> String? {
        var parts: [String] = []
        var rest = parameters
        for (index, segment) in pattern.segments.enumerated() {
            switch segment {
            case .literal(let text): parts.append(text)
            case .parameter, .affixed:
                let name = segment.parameterName ?? ""
                guard let value = rest.removeValue(forKey: name), !value.isEmpty else {
                    if pattern.isLastOptional && index == pattern.segments.count - 1 { continue }
                    reasons.append("\"\(pattern)\" requires \"\(name)\"")
                    return nil
                }
                if let type = segment.type, !type.accepts(value) {
                    reasons.append("\"\(pattern)\": \"\(value)\" is not of type \(type)")
                    return nil
                }
                parts.append(segment.text(of: value))
            case .catchAll(let name):
                guard let value = rest.removeValue(forKey: name), !value.isEmpty else {
                    reasons.append("\"\(pattern)\" requires \"\(name)\"")
                    return nil
                }
                parts += value.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            }
        }
        for name in pattern.requiredQuery where rest[name]?.isEmpty != false {
            reasons.append("\"\(pattern)\" requires \"\(name)\" in the query")
            return nil
        }
        let path = parts.map { $0.utf8.percentEncoded }.joined(separator: "/")
        let query = rest.sorted { $0.key < $1.key }
            .map { "\($0.key.utf8.percentEncoded)=\($0.value.utf8.percentEncoded)" }.joined(separator: "&")
        let start: String
        switch form {
        case .universal(let host): start = "https://\(host)/"
        case .scheme(let scheme):
            // A host has no case and no escapes, so a segment that needs either becomes part of the path.
            let first = parts.first ?? ""
            let isHost =
                first.utf8.allSatisfy { (ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-")) }
                && first.utf8.elementsEqual(first.utf8.asciiFolded)
            start = isHost ? "\(scheme)://" : "\(scheme):/"
        }
        return start + path + (query.isEmpty ? "" : "?" + query)
    }
}

extension DeepLinker {
    /// The equivalent link in another market: the same routable with the same parameters.
    ///
    /// - Parameters:
    ///   - text: A link of this market.
    ///   - other: The other market's deep linker.
    /// - Returns: A universal link for a universal link if the other market has a host; otherwise a link with a custom
    ///   scheme.
    /// - Throws: ``LinkBuildingError`` if this market does not route the link or the other market has no equivalent.
    public func translate(_ text: String, to other: any DeepLinker) throws(LinkBuildingError) -> String {
        try unlimited { try translate(text, to: other, budget: $0) }
    }

    /// The equivalent link in another market, within a budget.
    package func translate(_ text: String, to other: any DeepLinker, budget: WorkBudget) throws -> String {
        let result = dryRun(text)
        guard let id = result.routableID, result.outcome.isTaken else { throw LinkBuildingError.unroutable(text) }
        var parameters: [String: String] = [:]
        for item in result.queryItems where parameters[item.name] == nil { parameters[item.name] = item.value ?? "" }
        for element in result.parameters.elements { parameters[element.name] = element.value }
        let isWeb = (try? DeepLink(text))?.isWebLink == true  // `dryRun` parsed it successfully
        if isWeb, let host = other.universalLinks.firstHostWithoutWildcard {
            return try other.table.link(
                to: id, parameters: parameters, form: .universal(host: host), budget: budget)
        }
        // A scheme that both markets have would open in this one.
        guard let scheme = other.urlSchemes.first(where: { !urlSchemes.contains($0) }) ?? other.urlSchemes.first else {
            throw LinkBuildingError.noSchemeOrHost
        }
        return try other.table.link(to: id, parameters: parameters, form: .scheme(scheme), budget: budget)
    }
}

/// Runs a closure that can fail only with a ``LinkBuildingError``.
private func unlimited(_ body: (WorkBudget) throws -> String) throws(LinkBuildingError) -> String {
    do {
        return try body(.unlimited)
    } catch let error as LinkBuildingError {
        throw error
    } catch {
        preconditionFailure("a budget without limits ran out: \(error)")
    }
}
