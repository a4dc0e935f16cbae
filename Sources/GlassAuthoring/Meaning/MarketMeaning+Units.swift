import GlassBase
import GlassMarkets
import GlassSchema

extension MarketMeaning {
    /// The defaults whose names have a unit of the other system than `unitSystem` in the same table.
    var foreignUnits: [Finding] {
        let path: ConfigurationPath = "platform.userDefaultsRegistration.defaults"
        guard case .map(let entries)? = source.node(at: path)?.value, let system = entries["unitSystem"],
            let name = system.value.stringValue, let foreign = Self.units[name]
        else { return [] }
        let setsNil = Set(market.warnings.lazy.filter { $0.code == .noEffect }.map(\.path))
        return entries.inOrder.compactMap { key, node in
            // A text or a switch such as `showsMiles` is not a quantity. A key of nil has a finding of its own.
            guard let unit = foreign.first(where: { key.hasSuffix($0.key) }), node.value.isQuantity,
                isOwn(node) || isOwn(system), !setsNil.contains(path.appending(key))
            else { return nil }
            let meant = key.dropLast(unit.key.count) + unit.value
            let has = entries["\(meant)"] != nil
            return warning(
                .numbersDisagree, at: isOwn(node) ? node.position : system.position, path: path.appending(key),
                subject: key,
                "the name says \(unit.key), but unitSystem is \(name.quotedForMessage)"
                    + (isOwn(node) ? "" : "; the value is inherited"),
                hint: has ? "write \(key) = unset" : "write \(key) = unset, and set \(meant) if the app reads it")
        }
    }

    /// The units that do not belong to a system, with those that do.
    private static let units: [String: KeyValuePairs<String, String>] = [
        "metric": [
            "Miles": "Kilometres", "Feet": "Metres", "Yards": "Metres", "Inches": "Centimetres", "Pounds": "Kilograms",
            "Ounces": "Grams", "Gallons": "Litres", "Fahrenheit": "Celsius",
        ],
        "imperial": [
            "Kilometres": "Miles", "Kilometers": "Miles", "Centimetres": "Inches", "Centimeters": "Inches",
            "Metres": "Feet", "Meters": "Feet", "Kilograms": "Pounds", "Grams": "Ounces", "Litres": "Gallons",
            "Liters": "Gallons", "Celsius": "Fahrenheit",
        ],
    ]
}

extension ConfigurationValue {
    fileprivate var isQuantity: Bool {
        switch self {
        case .integer, .number: true
        default: false
        }
    }
}
