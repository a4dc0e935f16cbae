import GlassBase

/// Matches the components of one app like Apple's devices: the first match decides.
///
/// `export` and `verify` share this matcher. Its rules follow the recorded results of `swcutil`, the macOS tool that
/// calls the system's own matcher. The decision record about matching lists them and what remains unknown.
struct AssociationMatcher: Sendable {
    private let components: [AssociationComponent]
    private let index: LiteralPrefixIndex

    init(_ components: [AssociationComponent]) {
        self.components = components
        index = LiteralPrefixIndex(components.map(\.pathPrefix))
    }

    /// The possible decisions about a link, and the component that decides, if it is certain.
    func decision(
        on link: AssociationLink, _ work: inout MatchingWork
    ) throws(WorkBudget.Exceeded) -> (outcomes: AssociationOutcomes, place: Int?) {
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
