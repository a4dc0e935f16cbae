import GlassMarkets
import GlassSchema

/// What lists have and had not, by what tells their elements apart.
struct ListChange {
    private(set) var added: [ConfigurationValue] = []
    private(set) var removed: [ConfigurationValue] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    init(from old: ConfigurationValue, to new: ConfigurationValue) {
        let (before, after) = (Self.elements(old), Self.elements(new))
        let (known, kept) = (Set(before.map(Self.identity)), Set(after.map(Self.identity)))
        removed = before.filter { !kept.contains(Self.identity($0)) }
        added = after.filter { !known.contains(Self.identity($0)) }
    }

    private static func elements(_ value: ConfigurationValue) -> [ConfigurationValue] {
        if case .list(let nodes) = value { nodes.map(\.value) } else { [] }
    }

    /// The first of the keys by which `diff` matches tables, else the element itself.
    static func identity(_ value: ConfigurationValue) -> ConfigurationValue {
        guard case .map(let entries) = value else { return value }
        for key in ["id", "key", "code", "name", "value"] {
            if let node = entries[key] { return node.value }
        }
        return value
    }
}

/// What became of a value, as its declaration sees it.
enum ValueChange {
    /// People have less; with what happened to a list.
    case narrower(String?)
    /// People have more; with what happened to a list.
    case wider(String?)
    /// Nobody can say.
    case other

    init(from old: ConfigurationValue, to new: ConfigurationValue, sense: KeyDeclaration.Sense?) {
        guard let sense, let isLess = Self.isLess(new, than: old) else {
            self = .other
            return
        }
        let detail = Self.detail(from: old, to: new)
        self = isLess == (sense == .higherIsLooser) ? .narrower(detail) : .wider(detail)
    }

    /// Whether a value is less than another one; nil where the two cannot be compared. A list that lost something is less,
    /// whatever else it got.
    private static func isLess(_ new: ConfigurationValue, than old: ConfigurationValue) -> Bool? {
        switch (old, new) {
        case (.boolean(let one), .boolean(let other)): return one == other ? nil : one
        case (.list, _), (.emptyTable, _):
            guard new.isList, old.isList else { return nil }
            let change = ListChange(from: old, to: new)
            return change.isEmpty ? nil : !change.removed.isEmpty
        default:
            guard let one = old.number, let other = new.number, one != other else { return nil }
            return other < one
        }
    }

    /// What tells this change of a key from another one: what a list lost and got, else both values.
    static func values(from old: ConfigurationValue?, to new: ConfigurationValue?) -> [String] {
        if let old, let new, old.isList, new.isList {
            let change = ListChange(from: old, to: new)
            if !change.isEmpty {
                return change.removed.map { "- \(ListChange.identity($0).written)" }
                    + change.added.map { "+ \(ListChange.identity($0).written)" }
            }
        }
        return [old?.written ?? "", new?.written ?? ""]
    }

    /// What a list lost and got, in words; nil for what is no list, or has another order.
    static func detail(from old: ConfigurationValue, to new: ConfigurationValue) -> String? {
        guard old.isList, new.isList else { return nil }
        let change = ListChange(from: old, to: new)
        func listed(_ values: [ConfigurationValue]) -> String {
            let shown = 5
            let more = values.count > shown ? " and \(values.count - shown) more" : ""
            return values.prefix(shown).map { ListChange.identity($0).written }.joined(separator: ", ") + more
        }
        let parts = [
            change.removed.isEmpty ? nil : "has \(listed(change.removed)) no more",
            change.added.isEmpty
                ? nil : "has \(listed(change.added)), which \(change.added.count == 1 ? "is" : "are") new",
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", and ")
    }
}

extension ConfigurationValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    fileprivate var isList: Bool {
        switch self {
        case .list, .emptyTable: true
        default: false
        }
    }
}
