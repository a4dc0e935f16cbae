import GlassBase
import GlassDeepLinking
import GlassMarkets

/// The outcome of a link in one market as a sentence, for readers who do not know routes and preconditions.
struct LinkSentence: Sendable, Equatable {
    /// The kind of outcome, by which a page chooses a color and a sign.
    enum Kind: String, Sendable {
        /// Something opens now.
        case opens
        /// Something opens later, or has not finished.
        case waits
        /// The link opens in the browser.
        case external
        /// The link belongs to another market, or to none. That is not an error.
        case foreign
        /// The link belongs to the market, which has nothing to open.
        case unmatched
        /// The link is hostile or malformed.
        case refused
        /// The handler failed.
        case failed
    }

    /// The kind of outcome.
    let kind: Kind
    /// The sentence, such as `Opens the Account screen on the Account tab.`
    let text: String

    /// Describes a result.
    ///
    /// - Parameters:
    ///   - market: The name of the market, such as `Canada`.
    ///   - owners: The names of the other markets that have the link's scheme or host.
    ///   - later: What the link opens once its preconditions are met; nil if that is unknown.
    ///   - situations: Situations in which the link opens something, if it opens nothing.
    ///   - zone: The time zone for dates.
    ///   - words: Says what is true once a precondition is met.
    init(
        _ result: DispatchResult, in market: String, ownedBy owners: [String] = [], later: NavigationSnapshot? = nil,
        situations: [LinkSituation] = [], zone: String? = nil, words: (String) -> String
    ) {
        let period = situations.first?.period(in: zone)
        switch result.outcome {
        case .routed:
            kind = .opens
            text = "Opens \(result.navigation.destination)."
        case .waiting(let unmet):
            kind = .waits
            let then = later.map { ", then opens \($0.destination)" } ?? ""
            text = "Waits until \(unmet.map(words).inProse())\(then)."
        case .running:
            kind = .waits
            text = "Starts an operation that has not finished yet."
        case .external:
            kind = .external
            text = "Opens in the browser: the app has no screen for it."
        case .unroutable(.unknownScheme), .unroutable(.unknownHost):
            kind = .foreign
            text = "Not a link of \(market)." + (owners.isEmpty ? "" : " It is a link of \(owners.inProse()).")
        case .unroutable(.noRoute), .unroutable(.declined):
            let isDeclined = if case .unroutable(.declined) = result.outcome { true } else { false }
            let now = isDeclined ? "No screen of \(market) accepts this link" : "\(market) has no screen for this link"
            // A link that opens on Friday is no mistake.
            kind = period == nil ? .unmatched : .waits
            text =
                period.map { "Opens \($0). \(now) now." } ?? now + (situations.isEmpty ? "." : " in this situation.")
        case .unroutable(let reason):
            kind = .unmatched
            text = "Opens nothing: \(reason)."
        case .refused(let refusal) where refusal.rule == .browser:
            kind = .external
            text = "Opens in the browser, where \(market) keeps this path."
        case .refused(let refusal):
            kind = .refused
            text = "Refused: \(refusal.explanation)."
        case .failed(let failure):
            kind = .failed
            text = "Fails: \(failure)."
        }
    }

    /// Creates a sentence.
    init(kind: Kind, text: String) {
        self.kind = kind
        self.text = text
    }

    /// Describes a link of a market that was not opened.
    ///
    /// - Parameter reason: Why it was not, such as `its file has errors, so the link cannot be checked until they are fixed`.
    init(unopened reason: String, in market: String) {
        self.init(kind: .failed, text: "A link of \(market), but \(reason).")
    }

    /// The sentence and its kind.
    var json: JSONObject { ["kind": kind.rawValue, "text": text] }
}

extension Market {
    /// What is true once a precondition is met, for a sentence: what the market or the module says about it.
    func words(ofPrecondition name: String) -> String {
        let text =
            definition.preconditions[name]?.doc ?? module.preconditions.first { $0.name == name }?.summary
            ?? "the precondition \"\(name.inWords)\" is met"
        let end = text.hasSuffix(".") ? text.dropLast() : text[...]
        // A word such as `URL` keeps its capitals.
        let isWord = end.dropFirst().first.map { $0.isLowercase || $0 == " " } ?? false
        return isWord ? end.prefix(1).lowercased() + end.dropFirst() : String(end)
    }
}

extension NavigationSnapshot {
    /// What is visible, such as `the Item screen with itemID 42 on the Shop tab`.
    var destination: String {
        let tabText = "the \(tab.inWords.withCapital) tab"
        guard let screen = screens.last else { return tabText }
        let parameters = screen.parameters.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "\($0.key) \($0.value.shortened)" }
        return "the \(screen.name.inWords.withCapital) screen"
            + (parameters.isEmpty ? "" : " with \(parameters.inProse())") + " on \(tabText)"
    }
}

extension String {
    /// A name in camel case as words: `orderDetail` is `order detail`, and `storeID` is `store ID`.
    var inWords: String {
        var words = ""
        var before: Character?
        for character in self {
            if character.isUppercase, let before, before.isLowercase || before.isNumber { words += " " }
            words.append(character == "_" || character == "-" ? " " : character)
            before = character
        }
        return words.split(separator: " ").map { $0.allSatisfy(\.isUppercase) ? String($0) : $0.lowercased() }
            .joined(separator: " ")
    }

    /// The text with a capital first letter.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }

    /// At most 60 characters: a link can contain a long text.
    fileprivate var shortened: String { count > 60 ? prefix(59) + "…" : self }
}
