extension StringFormat {
    /// A calendar date, in the format of ISO 8601.
    public static let date = StringFormat(
        name: "date", expectation: "a date such as \"2027-01-31\""
    ) { text in
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isDigit) }) else { return false }
        let numbers = parts.map { $0.reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...12).contains(month) && (1...days[max(1, min(month, 12)) - 1]).contains(day)
    }
}
