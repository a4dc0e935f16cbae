/// The place in the source where a service is registered.
public struct RegistrationSite: Sendable, Hashable, Comparable, CustomStringConvertible {
    let fileID: StaticString
    /// The line, from 1.
    public let line: Int

    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = Int(line)
    }

    /// The file, as `Module/File.swift`.
    public var file: String { fileID.description }

    /// The place as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }

    /// Whether two places are the same line.
    public static func == (first: Self, second: Self) -> Bool {
        first.line == second.line && first.file == second.file
    }

    /// Orders places by file, then by line.
    public static func < (first: Self, second: Self) -> Bool {
        (first.file, first.line) < (second.file, second.line)
    }

    /// Feeds the file and the line to a hasher.
    /// - Parameter hasher: What takes them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(line)
    }
}
