import GlassMarkets
import GlassSchema

/// What an entry of a market file is about, seen through the keys and words about situations.
enum FilePlace: Equatable {
    /// A key of the market, also in an overlay or in an alternative. Empty for a table of the market's keys.
    case key(ConfigurationPath)
    /// Whether the file is an abstract base.
    case abstract
    /// The table of alternatives of a key, `{ when = …, value = … }`.
    case choice(ConfigurationPath)
    /// The table of attributes, and a key in the declaration of one. The path begins with its name.
    case attributes
    case attribute(ConfigurationPath)
    /// The table of conditions, and a condition: a name, a table of tests, or a combination.
    case conditions
    case condition
    /// A test of an attribute, and a key in a table that tests the parts of a text.
    case test(String)
    case textTest(String)
    /// The list of overlays, an overlay, and its name and those that it beats.
    case overlays
    case overlay
    case overlayName
    case beats
    /// The table of a share, which a rule of a flag or a condition has, and that of a split, with the path of the flag.
    case rollout
    case split(ConfigurationPath)
    /// The attribute that is spread over the percentages, and the vendor that is followed.
    case unit
    case vendor
    /// The list of a split's weights, one of them, and the variant of it.
    case weights(ConfigurationPath)
    case weight(ConfigurationPath)
    case variant(ConfigurationPath)
    /// A rule whose warnings are accepted.
    case acceptance
    /// Nothing that a market file has.
    case unknown
}

extension ConfigurationPath {
    /// Whether it is that of a rule, `flags.newCheckout.rules[1]`.
    var isRuleOfFlag: Bool {
        guard elements.count == 4, elements[0] == .key("flags"), elements[2] == .key("rules"),
            case .index = elements[3]
        else { return false }
        return true
    }

    /// The name of the flag that it begins with; nil if it is not below a flag.
    var flagName: String? {
        guard elements.count >= 2, elements[0] == .key("flags"), case .key(let name) = elements[1] else { return nil }
        return name
    }
}

extension Outline {
    /// What an entry is about, given the path of the returned table. O(depth).
    func place(of entry: Int, below prefix: ConfigurationPath) -> FilePlace {
        var chain: [Int] = []
        var next = entry
        while let parent = entries[next].parent {
            chain.append(next)
            next = parent
        }
        var place = FilePlace.key(prefix)
        var isTop = prefix.elements.isEmpty
        for child in chain.reversed() {
            place = self.place(of: child, in: place, isTop: isTop)
            isTop = false
        }
        return place
    }

    private func place(of child: Int, in outer: FilePlace, isTop: Bool) -> FilePlace {
        let key = entries[child].key
        let word: String? =
            if let parent = entries[child].parent, case .word(let word, _) = entries[parent].value { word } else { nil }
        switch (outer, key) {
        // The first element of the table is the value.
        case (_, .index(1)) where word == "accept": return outer
        case (_, .key) where word == "accept": return .acceptance
        case (.key, .key("abstract")) where isTop: return .abstract
        case (.key, .key("attributes")) where isTop: return .attributes
        case (.key, .key("conditions")) where isTop: return .conditions
        case (.key, .key("overlays")) where isTop: return .overlays
        case (.key(let path), .index) where word == "vary": return .choice(path)
        case (.key(let path), .key) where word == "vary" || word == "perLocale": return .key(path)
        case (.key(let path), .key("when")) where path.isRuleOfFlag: return .condition
        case (.key(let path), .key("rollout")) where path.isRuleOfFlag: return .rollout
        case (.key(let path), .key("split")) where path.isRuleOfFlag:
            return .split(ConfigurationPath(Array(path.elements.prefix(2))))
        case (.key(let path), _): return .key(ConfigurationPath(path.elements + [key]))
        case (.choice(let path), .key("value")): return .key(path)
        case (.choice, .key("when")): return .condition
        case (.attributes, .key(let name)): return .attribute(ConfigurationPath([.key(name)]))
        case (.attribute(let path), _): return .attribute(ConfigurationPath(path.elements + [key]))
        case (.conditions, .key): return .condition
        case (.condition, .index): return .condition
        case (.condition, .key("rollout")): return .rollout
        case (.condition, .key(let name)): return .test(name)
        case (.rollout, .key("by")), (.split, .key("by")): return .unit
        case (.rollout, .key("like")), (.split, .key("like")): return .vendor
        case (.split(let flag), .key("weights")): return .weights(flag)
        case (.weights(let flag), .index): return .weight(flag)
        case (.weight(let flag), .index(1)): return .variant(flag)
        case (.test(let name), .index): return .test(name)
        case (.test(let name), .key): return .textTest(name)
        case (.overlays, .index): return .overlay
        case (.overlay, .key("name")): return .overlayName
        case (.overlay, .key("when")): return .condition
        case (.overlay, .key("beats")), (.beats, .index): return .beats
        case (.overlay, .key(let name)): return .key(ConfigurationPath([.key(name)]))
        default: return .unknown
        }
    }

    /// The word around an entry's table, such as `vary`.
    func word(of entry: Int) -> String? {
        if case .word(let word, _) = entries[entry].value { word } else { nil }
    }

    /// The name of an overlay; nil for any other entry.
    func overlayName(of entry: Int) -> String? {
        guard case .index = entries[entry].key, let list = entries[entry].parent, entries[list].parent == 0,
            entries[list].key == .key("overlays")
        else { return nil }
        return entries[entry].children.lazy.compactMap { child -> String? in
            guard entries[child].key == .key("name"), case .string(let name) = entries[child].value else { return nil }
            return name
        }.first
    }

    /// The names of the overlays of the file, in their order.
    var overlayNames: [String] {
        guard let list = entry(at: "overlays") else { return [] }
        return entries[list].children.compactMap { overlayName(of: $0) }
    }

    /// The token of a condition's name, where the file declares it.
    func declaration(ofCondition name: String) -> Range<Int>? {
        entry(at: ConfigurationPath([.key("conditions"), .key(name)])).map { keyRange(of: $0) }
    }
}
