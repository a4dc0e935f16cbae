public import Foundation
public import GlassSchema

/// Something that happened to a market of a ``MarketStore``.
public enum MarketEvent: Sendable {
    /// A market was loaded. Readers get it from now on.
    case applied(MarketChange)
    /// After a rejection, the files match the market in use again.
    case restored(id: String, revision: MarketRevision, at: Date)
    /// The files have errors. Readers keep the current market.
    case rejected(MarketRejection)
    /// The market is no longer in use.
    case retired(id: String, revision: MarketRevision, at: Date)

    /// The market's id.
    public var id: String {
        switch self {
        case .applied(let change): change.id
        case .restored(let id, _, _), .retired(let id, _, _): id
        case .rejected(let rejection): rejection.id
        }
    }
}

/// A market that replaces another, or the first market under its id.
public struct MarketChange: Sendable {
    /// The market's id.
    public let id: String
    /// The previous revision; nil for the first market.
    public let before: MarketRevision?
    /// The new revision.
    public let after: MarketRevision
    /// The difference; nil for the first market, empty if only comments or layout changed.
    public let difference: MarketDifference?
    /// Findings that do not prevent the use of the market.
    public let warnings: [Finding]
    /// When it happened.
    public let time: Date
}

/// Files that were rejected because of errors.
public struct MarketRejection: Sendable {
    /// The market's id.
    public let id: String
    /// The content of the files; nil if the market's own file could not be read.
    public let revision: MarketRevision?
    /// The errors and other findings.
    public let findings: [Finding]
    /// The revision that readers keep; nil if there is none.
    public let kept: MarketRevision?
    /// When it happened.
    public let time: Date
}

/// The status of one market in a ``MarketStore``.
public struct MarketStatus: Sendable {
    /// A market in use.
    public struct Applied: Sendable, Equatable {
        /// The content of its files.
        public let revision: MarketRevision
        /// The number of markets that this store has applied under the id, starting at 1.
        public let serial: Int
        /// When it was applied.
        public let time: Date
    }

    /// The market's id.
    public let id: String
    /// The market in use.
    public internal(set) var applied: Applied?
    /// The content of the files at the last read; nil if the market's own file could not be read.
    public internal(set) var onDisk: MarketRevision?
    /// The last rejection, even if a valid version followed.
    public internal(set) var lastRejected: MarketRejection?
    /// The current state of the market's delivery: pending version, health and freshness. Nil for a source that fetches
    /// nothing.
    public internal(set) var delivery: MarketDeliveryStatus?

    /// Whether the market in use matches the files at the last read.
    public var isCurrent: Bool { applied != nil && applied?.revision == onDisk }
}
