/// The parsed lines of a written address.
struct AddressLayout {
    /// The content of a pair of braces.
    enum Place: Equatable {
        case field(AddressField)
        /// The name of the region instead of its code.
        case regionName
    }

    /// A piece of a line.
    enum Part: Equatable {
        case text(String)
        case place(Place)
    }

    private let parts: [[Part]]

    /// Parses lines. Lines that the schema rejects are omitted.
    init(_ lines: [String]) {
        parts = lines.compactMap(Self.parts)
    }

    /// The fields that the lines contain.
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

    /// Parses a line. Returns `nil` if it is malformed.
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

    /// Formats an address.
    func lines(_ value: (Place) -> String?) -> [String] {
        parts.compactMap { parts in
            var line = ""
            /// The text since the last placeholder.
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
                        // Write a separator only if there is something on its left. Text before the first placeholder
                        // is not a separator.
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
