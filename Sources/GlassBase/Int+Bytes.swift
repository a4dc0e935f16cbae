extension Int {
    /// A number of bytes in a readable unit: `16 MB`, `1.5 GB`, `900 bytes`. A kilobyte has 1024 bytes.
    package var formattedBytes: String {
        let units = ["KB", "MB", "GB", "TB"]
        guard magnitude >= 1024 else { return self == 1 ? "1 byte" : "\(self) bytes" }
        var unit = 0
        var size = Double(self) / 1024
        while size.magnitude >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        let tenths = Int((size * 10).rounded())
        return (tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))") + " \(units[unit])"
    }
}
