/// The parts of a host's name.
struct DomainName {
    /// The labels before the domain: `quimby`, `mobile`.
    let labels: [String]
    /// The name in front of the suffix: `walmart`.
    let name: String
    /// The public suffix: `ca` or `com.mx`.
    let suffix: String

    /// The labels that are part of a public suffix in front of a country's code.
    private static let secondLevels: Set<String> = ["ac", "co", "com", "edu", "gob", "gov", "net", "or", "org"]

    init(_ host: String) {
        var labels = host.split(separator: ".").map(String.init)
        var suffix = labels.popLast() ?? ""
        if suffix.utf8.count == 2, labels.count > 1, let second = labels.last, Self.secondLevels.contains(second) {
            suffix = "\(labels.removeLast()).\(suffix)"
        }
        self.suffix = suffix
        name = labels.popLast() ?? ""
        self.labels = labels
    }

    /// Whether the host has no name before its suffix: `mx`, `com.mx`.
    var isSuffix: Bool {
        name.isEmpty || labels.isEmpty && suffix.utf8.count == 2 && Self.secondLevels.contains(name)
    }

    var domain: String { "\(name).\(suffix)" }
}
