public import Foundation
public import GlassSchema

/// Something that happened to a market of a ``MarketStore``.
public enum MarketEvent: Sendable {
    /// A market was loaded and is what readers get from now on.
    case applied(MarketChange)
    /// The files are again those of the market that readers have, after they were something that was rejected.
    case restored(id: String, revision: MarketRevision, at: Date)
    /// The files cannot be used; readers keep what they have.
    case rejected(MarketRejection)
    /// The store gives the market to nobody any more.
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

/// A market that took the place of another.
public struct MarketChange: Sendable {
    /// The market's id.
    public let id: String
    /// What readers had before; nil when it is the first.
    public let before: MarketRevision?
    /// What they have now.
    public let after: MarketRevision
    /// What is different; nil when it is the first. Empty when only comments or layout are.
    public let difference: MarketDifference?
    /// Findings that do not keep the market from working.
    public let warnings: [Finding]
    /// When.
    public let time: Date
}

/// Files that could not take the place of a market.
public struct MarketRejection: Sendable {
    /// The market's id.
    public let id: String
    /// The content of the files; nil when the market's own file could not be read.
    public let revision: MarketRevision?
    /// What is wrong with them.
    public let findings: [Finding]
    /// What readers keep; nil when there is nothing to keep.
    public let kept: MarketRevision?
    /// When.
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
        /// Since when.
        public let time: Date
    }

    /// The market's id.
    public let id: String
    /// What readers get.
    public internal(set) var applied: Applied?
    /// The content of the files when they were last read; nil when the market's own file could not be read.
    public internal(set) var onDisk: MarketRevision?
    /// What was rejected last, also when a good version came after it.
    public internal(set) var lastRejected: MarketRejection?

    /// Whether readers get what the files say.
    public var isCurrent: Bool { applied != nil && applied?.revision == onDisk }
}
