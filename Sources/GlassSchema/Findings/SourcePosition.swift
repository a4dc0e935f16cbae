/// A position in a source file.
public struct SourcePosition: Sendable, Hashable {
    /// The file as the user knows it, such as `markets/ca.lua`.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1 in Unicode scalars; nil if only the line is known.
    public var column: Int?

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - file: The file as the user knows it.
    ///   - line: The line, from 1.
    ///   - column: The column, from 1, or nil if only the line is known.
    public init(file: String, line: Int, column: Int? = nil) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourcePosition: CustomStringConvertible {
    /// `file:line:column`, the format that editors and CI systems turn into links.
    public var description: String {
        guard let column else { return "\(file):\(line)" }
        return "\(file):\(line):\(column)"
    }
}

extension SourcePosition: Comparable {
    /// Orders by file, then line, then column; an unknown column comes first.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.file, left.line, left.column ?? 0) < (right.file, right.line, right.column ?? 0)
    }
}
