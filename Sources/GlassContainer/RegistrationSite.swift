/// The source position where a service is registered.
public struct RegistrationSite: Sendable, Hashable, Comparable, CustomStringConvertible {
    let fileID: StaticString
    /// The line number, starting from 1.
    public let line: Int

    init(_ fileID: StaticString, _ line: UInt) {
        self.fileID = fileID
        self.line = Int(line)
    }

    /// The file, as `Module/File.swift`.
    public var file: String { fileID.description }

    /// The position, as `Module/File.swift:12`.
    public var description: String { "\(file):\(line)" }

    /// Returns whether two positions are the same line of the same file.
    public static func == (first: Self, second: Self) -> Bool {
        first.line == second.line && first.file == second.file
    }

    /// Orders positions by file, then by line.
    public static func < (first: Self, second: Self) -> Bool {
        (first.file, first.line) < (second.file, second.line)
    }

    /// Hashes the file and the line.
    /// - Parameter hasher: The hasher to use.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(file)
        hasher.combine(line)
    }
}
