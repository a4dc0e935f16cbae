import Foundation
public import GlassSchema

/// A source of markets, such as a folder of Lua files.
public protocol MarketSource: Sendable {
    /// Loads a market and reports all of its findings.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The findings, sorted by position, and the market unless one of them is an error.
    /// - Throws: An error if the source cannot read the market at all; an error in the market is a finding.
    func check(_ id: String) throws -> MarketCheck

    /// The source's information about the delivery of a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The status; nil for a source that does not fetch markets, which is the default.
    func deliveryStatus(of id: String) -> MarketDeliveryStatus?
}

extension MarketSource {
    /// Returns nil, because the source does not fetch markets.
    public func deliveryStatus(of id: String) -> MarketDeliveryStatus? { nil }

    /// Loads a market.
    ///
    /// - Parameter id: The market's id.
    /// - Returns: The market, ready to use.
    /// - Throws: ``MarketError/invalid(_:findings:)`` with all findings if one of them is an error; any error of
    ///   ``check(_:)``.
    public func load(_ id: String) throws -> Market {
        let check = try check(id)
        guard let market = check.market else { throw MarketError.invalid(id, findings: check.findings) }
        return market
    }
}

/// The result of checking a market.
public struct MarketCheck: Sendable {
    /// The market's id.
    public let id: String
    /// All findings, sorted by position.
    public let findings: [Finding]
    /// The warnings that the market's files accept, which are not among ``findings``.
    package let accepted: [Finding]
    /// What the market's files accept.
    package let acceptances: [MarketAcceptance]
    /// The market, unless a finding is an error.
    public let market: Market?
    /// The values without errors of a market that has some, for rules that need no others.
    package let rest: ValidValues?
    /// The cost of the evaluation.
    package let cost: MarketCost
    /// Identifies the content of the files that were read. If a file could not be read, it covers the others.
    public let revision: MarketRevision
    /// The CPU time that is left after the load, for other work of the same check.
    package var timeLeft: Duration
    /// The files that were read; empty for a market that does not come from files.
    package let files: [MarketFile]
    /// Whether it is an abstract base rather than a market, so that it has no market even without errors.
    package let isAbstract: Bool

    /// Creates a result.
    package init(
        id: String, findings: [Finding], accepted: [Finding] = [], acceptances: [MarketAcceptance] = [],
        market: Market?, rest: ValidValues? = nil, cost: MarketCost, revision: MarketRevision, timeLeft: Duration,
        files: [MarketFile] = [], isAbstract: Bool = false
    ) {
        self.rest = rest?.named(id)
        self.isAbstract = isAbstract
        self.id = id
        self.findings = findings
        self.accepted = accepted
        self.acceptances = acceptances
        self.market = market
        self.cost = cost
        self.revision = revision
        self.timeLeft = timeLeft
        self.files = files
    }

    /// The values that rules about their meaning can read; nil if they are not known.
    package var validValues: ValidValues? { market.map(ValidValues.init) ?? rest }

    /// The same result for the market in another situation.
    package func replacingMarket(by market: Market?) -> MarketCheck {
        MarketCheck(
            id: id, findings: findings, accepted: accepted, acceptances: acceptances, market: market, rest: rest,
            cost: cost, revision: revision, timeLeft: timeLeft, files: files, isAbstract: isAbstract)
    }

    /// The same result for a market that cannot be read in another situation, for reasons that are added.
    package func rejecting(_ more: [Finding]) -> MarketCheck {
        MarketCheck(
            id: id, findings: findings + more, accepted: accepted, acceptances: acceptances, market: nil, cost: cost,
            revision: revision, timeLeft: timeLeft, files: files, isAbstract: isAbstract)
    }
}

/// The cost of loading a market.
package struct MarketCost: Sendable, Equatable {
    /// The CPU time, as it counts toward the limit of a load.
    package let cpuTime: Duration
    /// The number of Lua instructions, in steps of LuaBridge's hook.
    package let instructions: Int
    /// The peak memory of Lua, in bytes.
    package let peakMemory: Int
    /// The steps of the whole load, as a work budget counts them: the same in every run.
    package let steps: Int

    /// The CPU time in milliseconds, to a tenth.
    package var milliseconds: Double { (cpuTime / .microseconds(100)).rounded() / 10 }

    /// Creates a cost.
    package init(cpuTime: Duration, instructions: Int, peakMemory: Int, steps: Int = 0) {
        self.steps = steps
        self.cpuTime = cpuTime
        self.instructions = instructions
        self.peakMemory = peakMemory
    }
}

/// The reason why a market could not be loaded.
public enum MarketError: DescriptiveError {
    /// The market's files have errors.
    case invalid(_ id: String, findings: [Finding])

    /// The findings.
    package var findings: [Finding] {
        switch self {
        case .invalid(_, let findings): findings
        }
    }

    /// The errors, one per line. Warnings are omitted, because they did not prevent the market from loading.
    public var description: String {
        switch self {
        case .invalid(let id, let findings):
            "market \"\(id)\" cannot be loaded:\n"
                + findings.filter { $0.severity == .error }.map(\.description).joined(separator: "\n")
        }
    }
}
