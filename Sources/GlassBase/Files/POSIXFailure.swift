#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A failed system call.
package struct POSIXFailure: Error, Equatable, CustomStringConvertible {
    /// The attempted operation.
    package let call: String
    /// The path of the file.
    package let path: String
    /// The value of `errno`.
    package let code: CInt

    /// Creates a failure with the code in `errno`.
    package init(_ call: String, _ path: String) {
        self.init(call, path, code: errno)
    }

    /// Creates a failure with a known code.
    package init(_ call: String, _ path: String, code: CInt) {
        self.call = call
        self.path = path
        self.code = code
    }

    /// The system's reason in a few words, without the path.
    package var reason: String { String(cString: strerror(code)).lowercased() }

    /// `cannot open /x/y: No space left on device (28)`.
    package var description: String { "cannot \(call) \(path): \(String(cString: strerror(code))) (\(code))" }
}
