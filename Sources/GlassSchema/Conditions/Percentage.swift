import GlassBase

/// What is wrong with percentages.
enum Percentage {
    /// The problem of a number, with what to write instead; nil if it is a percentage with at most three decimal places,
    /// and with no more than the vendor has steps.
    static func problem(of value: ConfigurationValue, like vendor: Bucketing.Vendor? = nil) -> (
        message: String, hint: String?
    )? {
        guard let found = value.percent else {
            return ("expected \(ValueType.percent.expectation), got \(value.found)", nil)
        }
        // The steps in which units can be told apart, in percent.
        let (step, reason): (Double, String) =
            switch vendor {
            case .unleash?: (1, "Unleash supports only whole percentages")
            case .unleashVariants?: (0.1, "Unleash supports only tenths of a percent for variants")
            case .growthbook?, .optimizely?: (0.01, "the vendor supports only hundredths of a percent")
            case .growthbookNamespace?: (0.1, "GrowthBook supports only tenths of a percent for namespaces")
            default: (0.001, "the smallest step is 0.001%")
            }
        let steps = (found / step).rounded()
        guard abs(steps * step - found) >= 1e-9 else { return nil }
        return (
            "\(value.found) is too precise: \(reason)",
            "write \(ContextValue.number((steps * step * 1000).rounded() / 1000))"
        )
    }

    /// The advice for a percentage in quotes, such as "10%".
    static func advice(for text: String) -> Advice? {
        guard text.utf8.count <= 20 else { return nil }
        let written = text.trimmingWhitespace.prefix { ($0.isASCII && $0.isNumber) || $0 == "." || $0 == "," }
        let rest = String(text.trimmingWhitespace.dropFirst(written.count)).trimmingWhitespace
        let number = String(written).decimalPoint ?? String(written)
        guard let percent = Double(number), (0...100).contains(percent), rest.isEmpty || rest == "%" else { return nil }
        return Advice("write \(number), without quotes", .rewrite(number, isUnambiguous: !written.contains(",")))
    }
}

extension String {
    /// The number with a decimal point instead of a comma: `0.5` for `0,5`; nil if the text is no such number.
    var decimalPoint: String? {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, utf8.count <= 20,
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) })
        else { return nil }
        return parts.joined(separator: ".")
    }
}

extension ConfigurationValue {
    /// The number if it is one from 0 to 100.
    var percent: Double? {
        let number: Double
        switch self {
        case .integer(let value): number = Double(value)
        case .number(let value): number = value
        default: return nil
        }
        return (0...100).contains(number) ? number : nil
    }
}
