/// Traps because the program misused the library, in release builds too.
///
/// Errors that a Lua file can cause are thrown instead.
func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("LuaBridge: \(message)", file: file, line: line)  // a caller's mistake, never a file's
}
