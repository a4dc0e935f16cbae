import GlassBase
import GlassDeepLinking
import GlassMarkets

/// What a routed link waits for, and where it goes.
struct LinkDestination {
    /// The preconditions that the link waits for.
    let preconditions: [String]
    /// What opening the link does in a market with mocks; nil if its handler takes too long.
    let opened: DispatchResult?

    /// Opens a link in a market that is loaded for it, with mocks, so that nothing leaves the machine.
    ///
    /// - Parameter explanation: The explanation of the link in the market of the command.
    init?(_ explanation: LinkExplanation, in market: Market, _ session: Session) throws {
        guard let winner = explanation.candidates.first(where: \.isWinner) else { return nil }
        preconditions = market.preconditions(ofRoutable: winner.declaration.routableID)
        let own = try session.market(market.id, services: .mock)
        own.preconditions.satisfyAll()
        do {
            opened = try OpenCommand.finalResult(of: explanation.result.text, in: own, within: .seconds(2))
        } catch is CommandFailure {
            opened = nil
        }
    }

    /// The lines of text.
    var lines: [DisplayText] {
        var lines: [DisplayText] = [
            "waits for: \(preconditions.isEmpty ? "nothing" : preconditions.joined(separator: ", "))"
        ]
        if let opened, opened.outcome == .routed {
            lines.append("goes to: \(opened.navigation.line)")
        } else if let reason = opened?.outcome.explanation {
            lines.append("goes nowhere: \(reason)")
        }
        return lines
    }
}

extension Market {
    /// The preconditions that the links of a routable wait for.
    func preconditions(ofRoutable id: String) -> [String] {
        switch deepLinker.routables.first(where: { $0.id == id })?.requiredPreconditions {
        case .all: preconditions.names
        case .named(let names): names
        case nil, .some(.none): []
        }
    }
}

extension NavigationSnapshot {
    /// The tab and the screens as a line of text.
    var line: DisplayText {
        let screens = screens.map { screen in
            let parameters = screen.parameters.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return screen.name + (parameters.isEmpty ? "" : "(\(parameters.joined(separator: ", ")))")
        }
        return "tab \(([tab] + screens).joined(separator: " › "))"
    }
}
