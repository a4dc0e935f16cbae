package import Foundation

extension URL {
    /// The same as `path`, which takes some 0.4 ms on Linux the first time that a process reads it: Foundation creates
    /// a set there, for which the runtime searches every conformance.
    package var filePath: String {
        let prefix = "file:///"
        let text = absoluteString
        // Any other character in a path is percent-encoded, so Foundation must decode it.
        guard baseURL == nil, text.hasPrefix(prefix), text.utf8.allSatisfy({ !"%?#".utf8.contains($0) }) else {
            return path
        }
        var path = text.utf8.dropFirst(prefix.utf8.count - 1)
        // The root keeps its slash.
        while path.count > 1, path.last == UInt8(ascii: "/") { path = path.dropLast() }
        return String(decoding: path, as: UTF8.self)
    }
}
