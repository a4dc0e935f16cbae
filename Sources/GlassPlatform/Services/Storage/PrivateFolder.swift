package import Foundation
package import GlassBase

extension PrivateFolder {
    /// Creates a folder with mode 0700 and its parents, or removes the permissions of others from an existing one.
    @discardableResult
    package static func make(_ folder: URL) throws -> Bool {
        try make(folder.standardizedFileURL.path)
    }

    /// Creates a folder like ``make(_:)-(URL)``, but leaves an open folder with unrelated files unchanged.
    package static func makeOrShare(_ folder: URL) throws {
        try makeOrShare(folder.standardizedFileURL.path)
    }

    /// Creates and marks a folder for the state of all markets.
    @discardableResult
    package static func makeMarked(_ folder: URL) throws -> Bool {
        try makeMarked(folder.standardizedFileURL.path)
    }
}
