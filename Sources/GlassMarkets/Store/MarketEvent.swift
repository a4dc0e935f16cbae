public import Foundation
public import GlassSchema

/// Something that happened to a market of a ``MarketStore``.
public enum MarketEvent: Sendable {
    /// A market was loaded, and readers get it from now on.
    case applied(MarketChange)
    /// After a rejection, the files are back to those of the market in use.
    case restored(id: String, revision: MarketRevision, at: Date)
    /// The files have errors; readers keep the market that they have.
    case rejected(MarketRejection)
    /// The market was taken out of use.
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

/// A market that replaced another, or is the first one.
public struct MarketChange: Sendable {
    /// The market's id.
    public let id: String
    /// The revision that readers had before; nil for the first one.
    public let before: MarketRevision?
    /// The revision that they have now.
    public let after: MarketRevision
    /// What is different; nil for the first one, empty when only comments or layout changed.
    public let difference: MarketDifference?
    /// Findings that do not prevent the market from being used.
    public let warnings: [Finding]
    /// When it happened.
    public let time: Date
}

/// Files that were rejected because of errors.
public struct MarketRejection: Sendable {
    /// The market's id.
    public let id: String
    /// The content of the files; nil when the market's own file could not be read.
    public let revision: MarketRevision?
    /// What is wrong with them.
    public let findings: [Finding]
    /// The revision that readers keep; nil when there is none.
    public let kept: MarketRevision?
    /// When it happened.
    public let time: Date
}

/// What a ``MarketStore`` knows about one market.
public struct MarketStatus: Sendable {
    /// A market that readers get.
    public struct Applied: Sendable, Equatable {
        /// The content of its files.
        public let revision: MarketRevision
        /// Counts the markets that this store applied under the id, from 1.
        public let serial: Int
        /// When it was applied.
        public let time: Date
    }

    /// The market's id.
    public let id: String
    /// The market that readers get.
    public internal(set) var applied: Applied?
    /// The content of the files when they were last read; nil when the market's own file could not be read.
    public internal(set) var onDisk: MarketRevision?
    /// The last rejection, even when a good version came after it.
    public internal(set) var lastRejected: MarketRejection?
    /// What the store's source knows about the market's delivery, as of now: what waits, health and freshness; nil for a
    /// source that fetches nothing.
    public internal(set) var delivery: MarketDeliveryStatus?

    /// Whether the market in use was made from the files as they were last read.
    public var isCurrent: Bool { applied != nil && applied?.revision == onDisk }
}
