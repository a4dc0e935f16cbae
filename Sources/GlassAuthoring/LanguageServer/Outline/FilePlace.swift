import GlassMarkets
import GlassSchema

/// What an entry of a market file is, by the declarations on the way to it.
struct FilePlace {
    /// The path of the key of the market that the entry sets: in an overlay and in an alternative, that of the key itself.
    /// For anything else, such as a condition, the path in the file.
    private(set) var path: ConfigurationPath
    /// Whether the entry sets a key of the market.
    private(set) var isOfMarket = true
    /// The declaration of the key, or of the nearest key around an element; nil if there is none.
    private(set) var key: KeyDeclaration?
    /// The type of the value; nil if nothing is declared here.
    private(set) var type: ValueType?
    /// What the entry's key names, if keys are free.
    private(set) var referentOfKey: Referent?
    /// The attribute that a test is of.
    private(set) var attribute: String?
    /// In an alternative, the key that gets its value, and whether that is one of the market.
    private var enclosing: (key: KeyDeclaration?, type: ValueType?, isOfMarket: Bool)?

    /// The path, if the entry sets a key of the market.
    var pathInMarket: ConfigurationPath? { isOfMarket ? path : nil }

    /// Whether a text here is the name of a condition.
    var isCondition: Bool { if case .condition? = type { true } else { false } }

    /// The table that a file returns.
    ///
    /// - Parameter prefix: The path at which a market includes the file.
    init(_ file: SectionDeclaration, below prefix: ConfigurationPath) {
        path = ConfigurationPath()
        type = .section(file)
        for element in prefix.elements { self = step(to: element, in: nil) }
    }

    /// The place one step into the value.
    ///
    /// - Parameter word: The word in front of the value's table, such as `vary`.
    func step(to element: ConfigurationPath.Element, in word: String?) -> FilePlace {
        var place = self
        place.referentOfKey = nil
        switch (word, element) {
        // The first element of the table is the value.
        case ("accept", .index(1)), ("vary", .key), ("perLocale", .key): return place
        case ("accept", _): place.move(to: element, nil)
        case ("vary", .index):
            place.enclosing = (key, type, isOfMarket)
            place.isOfMarket = false
            place.type = .section(.choice)
        // The conditions of `any` and `all`.
        case (_, .index) where isCondition: return place
        default: place.enter(element)
        }
        return place
    }

    private mutating func enter(_ element: ConfigurationPath.Element) {
        let (outer, part) = (type, type?.part(at: element))
        guard let part else {
            // A table in an overlay may be a key of the market that is misspelled.
            if outer?.section?.form?.extent == .open { path = ConfigurationPath() }
            return move(to: element, nil, isOfMarket: isOfMarket || outer?.section?.form?.extent == .open)
        }
        if case .enclosing = part.type, let around = enclosing {
            (key, type, isOfMarket, enclosing) = (around.key, around.type, around.isOfMarket, nil)
            return
        }
        referentOfKey = outer?.referentOfKeys
        if case .test = part.type, case .condition? = outer, case .key(let name) = element {
            (referentOfKey, attribute) = (.attribute, name)
        }
        if outer?.section?.form?.extent == .open, OverlayDefinition.form.key(part.key?.name ?? "") == nil {
            (path, isOfMarket) = (ConfigurationPath(), true)
        }
        move(to: element, part, isOfMarket: isOfMarket && part.type.isValueOfMarket && !isHeader(element))
    }

    /// Whether a key is one about situations at the top of a file.
    private func isHeader(_ element: ConfigurationPath.Element) -> Bool {
        guard path.elements.isEmpty, case .key(let name) = element else { return false }
        return FileHeader.names.contains(name)
    }

    private mutating func move(
        to element: ConfigurationPath.Element, _ part: (key: KeyDeclaration?, type: ValueType)?,
        isOfMarket: Bool = false
    ) {
        path = ConfigurationPath(path.elements + [element])
        type = part?.type
        key = part == nil ? nil : part?.key ?? key
        self.isOfMarket = isOfMarket
    }
}

extension ValueType {
    /// Whether values of this type belong to keys of the market, and not to a condition or to a table of situations or flags.
    fileprivate var isValueOfMarket: Bool {
        switch self {
        case .condition, .test: false
        default: section?.isWhole != true
        }
    }
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
    /// What an entry is, given the declaration of files and the path of the returned table. O(depth × keys).
    func place(of entry: Int, in file: SectionDeclaration, below prefix: ConfigurationPath) -> FilePlace {
        var chain: [Int] = []
        var next = entry
        while let parent = entries[next].parent {
            chain.append(next)
            next = parent
        }
        var place = FilePlace(file, below: prefix)
        for child in chain.reversed() {
            place = place.step(to: entries[child].key, in: word(around: child))
        }
        return place
    }

    /// The word around an entry's table, such as `vary`.
    func word(of entry: Int) -> String? {
        if case .word(let word, _) = entries[entry].value { word } else { nil }
    }

    /// The word around the table that an entry is in.
    func word(around entry: Int) -> String? { entries[entry].parent.flatMap { word(of: $0) } }

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

extension Outline.Value {
    /// The name that the value is, also behind `no`.
    var name: String? {
        switch self {
        case .string(let name), .word("no", argument: let name?): name
        default: nil
        }
    }
}
