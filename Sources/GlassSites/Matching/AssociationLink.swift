import GlassDeepLinking

/// A link without a fragment, in the form that the components of an association file need.
struct AssociationLink {
    /// The parts of the link as written, or with decoded escapes.
    struct Parts {
        /// The path without trailing slashes. If it contains a run of slashes, there is a second form with a single
        /// slash, because it is unknown how devices interpret a run.
        let paths: [[UInt32]]
        let query: [UInt32]
        let items: [(name: [UInt32], value: [UInt32])]

        init(path: String, query: String, items: [(name: String, value: String)]) {
            var bare = Array(path.unicodeScalars.map(\.value))
            while bare.last == slash { bare.removeLast() }
            if bare.first != slash { bare.insert(slash, at: 0) }
            let collapsed = AssociationLink.withoutRepeatedSlashes(bare)
            paths = collapsed.count == bare.count ? [bare] : [bare, collapsed]
            self.query = query.unicodeScalars.map(\.value)
            self.items = items.map { ($0.name.unicodeScalars.map(\.value), $0.value.unicodeScalars.map(\.value)) }
        }
    }

    let encoded: Parts
    let decoded: Parts

    init(path: String, query: String?) {
        let query = query ?? ""
        let items = SiteComponent.items(of: query)
        encoded = Parts(path: path, query: query, items: items)
        decoded =
            path.utf8.contains(UInt8(ascii: "%")) || query.utf8.contains(UInt8(ascii: "%"))
            ? Parts(
                path: SiteText.decoded(path), query: SiteText.decoded(query),
                items: items.map { (SiteText.decoded($0.name), SiteText.decoded($0.value)) })
            : encoded
    }

    static func withoutRepeatedSlashes(_ path: [UInt32]) -> [UInt32] {
        var result: [UInt32] = []
        for scalar in path where scalar != slash || result.last != slash { result.append(scalar) }
        return result
    }
}

private let slash = UInt32(UInt8(ascii: "/"))
