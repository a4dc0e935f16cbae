import GlassBase

/// Reads the components of one app as Apple's devices do: the first one that matches decides.
///
/// The one matcher for what `export` writes and what a site serves. Its rules are those that `swcutil`, the tool of macOS
/// that asks the system's own matcher, was recorded to follow; the decision on site files lists them, and what is not known.
struct AssociationMatcher: Sendable {
    private let components: [AssociationComponent]
    private let index: LiteralPrefixIndex

    init(_ components: [AssociationComponent]) {
        self.components = components
        index = LiteralPrefixIndex(components.map(\.pathPrefix))
    }

    /// What devices may make of a link, and the component that decides where that is certain.
    func decision(
        on link: AssociationLink, _ work: inout MatchingWork
    ) throws(Allowance.Exceeded) -> (outcomes: AssociationOutcomes, place: Int?) {
        var outcomes: AssociationOutcomes = []
        for place in candidates(for: link) {
            try work.add(4)
            let (possible, mayPass) = try components[place].outcomes(of: link, &work)
            outcomes.formUnion(possible)
            if !mayPass { return (outcomes, place) }
        }
        return (outcomes.union(.stays), nil)
    }

    private func candidates(for link: AssociationLink) -> [Int] {
        let paths = link.encoded.paths.map { path in
            index.candidates(for: String(String.UnicodeScalarView(path.compactMap(Unicode.Scalar.init))))
        }
        return paths.count == 1 ? paths[0].sorted() : Set(paths.joined()).sorted()
    }
}
