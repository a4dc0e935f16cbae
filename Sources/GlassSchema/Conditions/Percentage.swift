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
            case .unleash?: (1, "Unleash knows whole percents only")
            case .unleashVariants?: (0.1, "Unleash divides variants by tenths of a percent only")
            case .growthbook?, .optimizely?: (0.01, "the vendor divides units by hundredths of a percent only")
            case .growthbookNamespace?: (0.1, "GrowthBook divides namespaces by tenths of a percent only")
            default: (0.001, "units are divided by thousandths of a percent")
            }
        let steps = (found / step).rounded()
        guard abs(steps * step - found) >= 1e-9 else { return nil }
        return (
            "\(value.found) is too exact: \(reason)",
            "write \(ContextValue.number((steps * step * 1000).rounded() / 1000))"
        )
    }

    /// The advice for a percentage in quotes, such as "10%".
    static func advice(for text: String) -> Advice? {
        guard text.utf8.count <= 20 else { return nil }
        let number = text.trimmingWhitespace.prefix { ($0.isASCII && $0.isNumber) || $0 == "." }
        let rest = String(text.trimmingWhitespace.dropFirst(number.count)).trimmingWhitespace
        guard let percent = Double(number), (0...100).contains(percent), rest.isEmpty || rest == "%" else { return nil }
        return Advice("write \(number), without quotes", .rewrite(String(number), isUnambiguous: true))
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
