/// A share of the units of an attribute: `rollout = { percent = 10, by = "customerID" }`.
package struct Rollout: Sendable, Hashable {
    /// How units are spread.
    package let bucketing: Bucketing
    /// Where the share begins and ends, in percent of all units.
    package let percents: Range<Double>
    /// The positions of the share, in the numbers of ``Bucketing/position(of:)``.
    private let positions: Range<Double>

    /// Creates a share of the first units, or of those in a range.
    package init(_ bucketing: Bucketing, percents: Range<Double>) {
        self.bucketing = bucketing
        self.percents = percents
        positions = bucketing.end(of: [percents.lowerBound])..<bucketing.end(of: [percents.upperBound])
    }

    /// Creates the share of the first units.
    package init(_ bucketing: Bucketing, percent: Double) {
        self.init(bucketing, percents: 0..<percent)
    }

    /// Whether a unit is within the share. False for a missing unit.
    package func contains(_ unit: ContextValue?) -> Bool {
        guard let position = bucketing.position(of: unit) else { return false }
        return positions.contains(position)
    }

    /// The share as a test of the position, which is an attribute of its own for proofs.
    var test: AttributeTest {
        .ranges([
            ContextRange(
                lower: ContextRange.Bound(.number(positions.lowerBound), isInclusive: true),
                upper: ContextRange.Bound(.number(positions.upperBound), isInclusive: false))
        ])
    }

    /// The share as data.
    package var dataForm: ConfigurationValue {
        var entries: [String: ConfigurationValue] = [
            "by": .string(bucketing.unit), "percent": Self.data(percents.upperBound), "salt": .string(bucketing.salt),
        ]
        if let vendor = bucketing.vendor { entries["like"] = .string(vendor.rawValue) }
        return .map(values: entries)
    }

    private static func data(_ number: Double) -> ConfigurationValue {
        Int(exactly: number).map { .integer($0) } ?? .number(number)
    }
}

extension Rollout: CustomStringConvertible {
    /// The share for people: `10% of customerID`.
    package var description: String { "\(Self.text(percents.upperBound)) of \(bucketing.unit)" }

    /// The share in the text from which fingerprints are computed: `10 % of customerID`.
    var fingerprintText: String { "\(ContextValue.number(percents.upperBound)) % of \(bucketing.unit)" }

    /// A percentage for people: `12.971%`.
    package static func text(_ percent: Double) -> String { "\(ContextValue.number(percent))%" }
}

extension Bucketing {
    /// A unit in a sentence: "installation", "customer", or the name of another attribute.
    package var unitNoun: String {
        switch unit {
        case "installID": "installation"
        case "customerID": "customer"
        default: unit
        }
    }

    /// The units in a sentence: "installations", "customers", or "values of" another attribute.
    package var unitsNoun: String { unitNoun == unit ? "values of \(unit)" : "\(unitNoun)s" }

    /// The position of a unit; nil if it is missing or empty, or no text or whole number.
    package func position(of unit: ContextValue?) -> Double? {
        switch unit {
        case .text(let text)?: text.isEmpty ? nil : position(of: text)
        case .number(let number)?: Int(exactly: number).map { position(of: "\($0)") }
        default: nil
        }
    }

    /// The name of the attribute that stands for the position of a unit. No attribute of a market has such a name.
    var dimension: String { "bucket:\(vendor?.rawValue ?? ""):\(unit):\(salt)" }

    /// The attribute that stands for the position of a unit. It is missing where the unit is.
    func attribute(for unit: ContextAttribute?) -> ContextAttribute {
        ContextAttribute(
            dimension, .bucket, pace: unit?.pace ?? .live, isPersonal: unit?.isPersonal ?? false,
            isAlwaysPresent: unit?.isAlwaysPresent ?? false)
    }
}
