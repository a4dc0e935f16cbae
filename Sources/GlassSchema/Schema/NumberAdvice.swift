/// What a number probably means that is not in the unit of its key: milliseconds for seconds, a percentage for a share.
enum NumberAdvice {
    /// The advice for a number outside of its range; nil without a guess.
    static func outOfRange(_ value: ConfigurationValue, for type: ValueType, at path: ConfigurationPath) -> Advice? {
        if let seconds = secondsOfMilliseconds(value, at: path), type.contains(seconds) {
            return Advice(
                "\(value.found) looks like milliseconds: write \(seconds)",
                .numeral(value.found, meant: "\(seconds)"))
        }
        guard case .number(0...1) = type, let number = value.double, number >= 5, number <= 100 else { return nil }
        // A percentage with more digits would not be exact.
        let share = ((number * 10).rounded() / 1000).written
        guard (number * 10).rounded() == number * 10 else { return nil }
        return Advice("write \(share) for \(value.found) percent", .numeral(value.found, meant: share))
    }

    /// The warning about a number within its range; nil if nothing is wrong.
    static func warning(
        about value: ConfigurationValue, of type: ValueType, at path: ConfigurationPath
    ) -> (message: String, advice: Advice)? {
        switch type {
        case .integer, .number: break
        default: return nil
        }
        if let seconds = secondsOfMilliseconds(value, at: path) {
            let advice =
                type.contains(seconds)
                ? Advice("write \(seconds)", .numeral(value.found, meant: "\(seconds)")) : Advice(nil)
            return (
                "\(value.found) seconds is \(durationText(seconds * 1000)), which looks like a value in milliseconds",
                advice
            )
        }
        guard value.double == 0, path.lastKey?.lowercased().hasSuffix("intervalseconds") == true else { return nil }
        return (
            "an interval of 0 seconds leaves no pause between requests", Advice("write a value above 0, such as 10")
        )
    }

    /// The seconds in a number of milliseconds, if a number of seconds is more probably that: whole thousands that are
    /// not whole hours or, from a day on, not whole days.
    private static func secondsOfMilliseconds(_ value: ConfigurationValue, at path: ConfigurationPath) -> Int? {
        guard path.lastKey?.hasSuffix("Seconds") == true, path.lastKey?.hasSuffix("illiseconds") == false,
            let number = value.double.flatMap(Int.init(exactly:)), number >= 1000, number % 1000 == 0,
            number % (number < 86_400 ? 3600 : 86_400) != 0
        else { return nil }
        return number / 1000
    }

    /// A duration in the two largest units: `8 h 20 min`.
    private static func durationText(_ seconds: Int) -> String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s"),
        ]
        return parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            .joined(separator: " ")
    }
}

extension ConfigurationValue {
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension ValueType {
    /// Whether it is a type of numbers whose range contains a number.
    fileprivate func contains(_ number: Int) -> Bool {
        switch self {
        case .integer(let range): range.contains(number)
        case .number(let range): range.contains(Double(number))
        default: false
        }
    }
}
