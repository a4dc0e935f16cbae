package import GlassBase

/// The parsers of formats that only some programs contain: an app that links the commands does not link them, too.
package struct ImportReaders: Sendable {
    /// Reads bytes as a tree. A reader bounds the size, the depth and the count of what it reads.
    package typealias Reader = @Sendable (_ bytes: [UInt8]) throws(ImportFailure) -> StrictJSON

    /// Reads YAML.
    let yaml: Reader?
    /// Reads XML: each element is an object with `name`, `attributes`, `children` and `line`.
    let xml: Reader?

    /// Creates a set of readers.
    package init(yaml: Reader? = nil, xml: Reader? = nil) {
        self.yaml = yaml
        self.xml = xml
    }
}

/// The reason why a file cannot be imported, and where.
package struct ImportFailure: Error, Equatable {
    /// The problem, in words that follow the name of the file.
    package let message: String
    /// The line and the column, counted from 1; nil if the problem has no place.
    package let place: (line: Int, column: Int)?

    /// Creates a failure.
    package init(_ message: String, line: Int, column: Int) {
        self.message = message
        place = (line, column)
    }

    /// Creates a failure without a place, such as an exceeded limit.
    package init(_ message: String) {
        self.message = message
        place = nil
    }

    package static func == (one: Self, other: Self) -> Bool {
        one.message == other.message && one.place?.line == other.place?.line && one.place?.column == other.place?.column
    }
}
