import Foundation
import GlassBase
import GlassDeepLinking
import GlassSchema

/// The preconditions of a market's links: those of its module, and those that the market declares.
public final class MarketPreconditions: Sendable {
    private let deepLinker: any DeepLinker
    /// The names of all preconditions: first those of the module in the order of declaration, then the market's own by
    /// name.
    public let names: [String]
    /// The names of the preconditions that the app satisfies and resets, because the module does not determine them
    /// itself.
    let setByApp: Set<String>

    /// Wraps the preconditions of a deep linker.
    init(deepLinker: any DeepLinker, of preconditions: [Precondition], own: [String]) {
        self.deepLinker = deepLinker
        names = preconditions.map(\.name) + own.sorted()
        setByApp = Set(preconditions.filter { $0.holds == nil }.map(\.name) + own)
    }

    /// The names of the unmet preconditions, in the order of ``names``.
    public var unmet: [String] { deepLinker.unmetPreconditions }

    /// Satisfies a precondition and opens the links that waited for it.
    ///
    /// - Parameter name: The precondition.
    /// - Throws: ``UnknownPreconditionError`` with the most similar name.
    public func satisfy(_ name: String) throws(UnknownPreconditionError) {
        try check(name)
        deepLinker.satisfyPrecondition(name)
    }

    /// Resets a precondition, so that it is unmet.
    ///
    /// - Parameter name: The precondition.
    /// - Throws: ``UnknownPreconditionError`` with the most similar name.
    public func reset(_ name: String) throws(UnknownPreconditionError) {
        try check(name)
        deepLinker.resetPrecondition(name)
    }

    /// Satisfies every precondition, as in an app that has started, with a user signed in and a store selected.
    public func satisfyAll() {
        for name in names { deepLinker.satisfyPrecondition(name) }
    }

    private func check(_ name: String) throws(UnknownPreconditionError) {
        guard names.contains(name) else { throw UnknownPreconditionError(name: name, names: names) }
    }
}

/// The error for a precondition that the market does not have.
public struct UnknownPreconditionError: DescriptiveError, Equatable {
    /// The name that was requested.
    public let name: String
    /// The names that the market has.
    public let names: [String]

    /// `this market has no precondition "signedin"; did you mean "signedIn"?`
    public var description: String {
        "this market has no precondition \(name.quotedForMessage)"
            + (Suggestion.nearest(to: name, in: names).map { "; did you mean \"\($0)\"?" }
                ?? "; the preconditions are \(names.joined(separator: ", "))")
    }
}
