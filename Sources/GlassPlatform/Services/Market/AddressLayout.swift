/// The lines of a written address, taken apart.
struct AddressLayout {
    /// What stands in braces.
    enum Place: Equatable {
        case field(AddressField)
        /// The region's name in place of its code.
        case regionName
    }

    /// A piece of a line.
    enum Part: Equatable {
        case text(String)
        case place(Place)
    }

    private let parts: [[Part]]

    /// Takes lines apart; those that the schema refuses are left out.
    init(_ lines: [String]) {
        parts = lines.compactMap(Self.parts)
    }

    /// The fields that are written.
    var fields: Set<AddressField> {
        Set(
            parts.joined().compactMap { part in
                switch part {
                case .text: nil
                case .place(.field(let field)): field
                case .place(.regionName): .region
                }
            })
    }

    /// Takes a line apart.
    static func parts(of line: String) -> [Part]? {
        var parts: [Part] = []
        var rest = Substring(line)
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close])
            let text = rest[..<open]
            guard !text.contains("}") else { return nil }
            if !text.isEmpty { parts.append(.text(String(text))) }
            if name == "regionName" {
                parts.append(.place(.regionName))
            } else if let field = AddressField(rawValue: name) {
                parts.append(.place(.field(field)))
            } else {
                return nil
            }
            rest = rest[rest.index(after: close)...]
        }
        guard !rest.contains("}"), !parts.isEmpty else { return nil }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return parts
    }

    /// Writes an address.
    func lines(_ value: (Place) -> String?) -> [String] {
        parts.compactMap { parts in
            var line = ""
            /// The text since the last place.
            var pending = ""
            var isFirst = true
            var isLastWritten = false
            for part in parts {
                switch part {
                case .text(let text): pending = text
                case .place(let place):
                    let written = value(place)
                    isLastWritten = written != nil
                    if let written {
                        // A separator needs something on its left; what stands before the first place is none.
                        if isFirst || !line.isEmpty { line += pending }
                        line += written
                    }
                    isFirst = false
                    pending = ""
                }
            }
            if isLastWritten { line += pending }
            return line.isEmpty ? nil : line
        }
    }
}
