import GlassBase
import GlassSchema

/// Folds the warnings and notes that many markets share, so that a list stays readable with thirty of them.
struct SharedFindings {
    private struct Identity: Hashable {
        let rule: String
        let path: ConfigurationPath
        let message: String
    }

    /// The number of files from which on a finding is folded.
    private static let minimum = 4
    private static let maximumNames = 8

    private let files: [Identity: [String]]
    private var printed: Set<Identity> = []

    init(_ findings: [Finding]) {
        files = findings.reduce(into: [:]) { files, finding in
            guard let identity = Self.identity(of: finding), let file = finding.position?.file else { return }
            if files[identity]?.last != file { files[identity, default: []].append(file) }
        }
    }

    private static func identity(of finding: Finding) -> Identity? {
        guard finding.severity != .error else { return nil }
        // A message about two markets names the one of the file.
        let own = finding.position?.file.split(separator: "/").last.map { $0.prefix { $0 != "." } }
        let words = finding.message.split(separator: " ").filter { $0 != own }
        return Identity(rule: finding.rule, path: finding.path, message: words.joined(separator: " "))
    }

    /// The line about the other files with the same finding; nil if the finding was printed for another file.
    mutating func others(than finding: Finding) -> DisplayText?? {
        guard let identity = Self.identity(of: finding), let files = files[identity], files.count >= Self.minimum else {
            return .some(nil)
        }
        guard printed.insert(identity).inserted else { return nil }
        let names = files.dropFirst().map { String($0.split(separator: "/").last ?? "") }
        let shown = names.prefix(Self.maximumNames).joined(separator: ", ")
        let more = names.count > Self.maximumNames ? " and \(names.count - Self.maximumNames) more" : ""
        return "  also in \(shown)\(more)"
    }
}
