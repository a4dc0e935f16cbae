import GlassBase
import GlassMarkets
import GlassSchema

/// The elements that were added to and removed from a list, by what identifies them.
struct ListChange {
    private(set) var added: [ConfigurationValue] = []
    private(set) var removed: [ConfigurationValue] = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }

    init(from old: ConfigurationValue, to new: ConfigurationValue) {
        let (before, after) = (old.listElements ?? [], new.listElements ?? [])
        let (known, kept) = (Set(before.map(Self.identity)), Set(after.map(Self.identity)))
        removed = before.filter { !kept.contains(Self.identity($0)) }
        added = after.filter { !known.contains(Self.identity($0)) }
    }

    /// The value by which an element is identified: the first of the keys by which `diff` matches tables, or else the
    /// element itself.
    static func identity(_ value: ConfigurationValue) -> ConfigurationValue {
        ConfigurationValue.identifyingKeys.lazy.compactMap { value.field(named: $0) }.first ?? value
    }
}

/// The direction in which a value changed, according to its declaration.
enum ValueChange {
    /// More restrictive for users, with the details of a list.
    case narrower(String?)
    /// Less restrictive for users, with the details of a list.
    case wider(String?)
    /// Neither of the two, or not known.
    case other

    init(from old: ConfigurationValue, to new: ConfigurationValue, sense: KeyDeclaration.Sense?) {
        guard let sense, let isLess = Self.isLess(new, than: old) else {
            self = .other
            return
        }
        let detail = Self.detail(from: old, to: new)
        self = isLess == (sense == .higherIsLooser) ? .narrower(detail) : .wider(detail)
    }

    /// Whether a value is less than another one; nil if the two cannot be compared. A list that lost an element is
    /// less, regardless of any added elements.
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

    /// The data that distinguishes this change of a key from others: the removed and added elements of a list, or else
    /// both values.
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

    /// The removed and added elements of a list, in words; nil if the values are not lists, or if only the order
    /// differs.
    static func detail(from old: ConfigurationValue, to new: ConfigurationValue) -> String? {
        guard old.isList, new.isList else { return nil }
        let change = ListChange(from: old, to: new)
        func listed(_ values: [ConfigurationValue]) -> String {
            let shown = 5
            let more = values.count > shown ? " and \(values.count - shown) more" : ""
            return values.prefix(shown).map { ListChange.identity($0).written }.joined(separator: ", ") + more
        }
        let parts = [
            change.removed.isEmpty ? nil : "no longer has \(listed(change.removed))",
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
