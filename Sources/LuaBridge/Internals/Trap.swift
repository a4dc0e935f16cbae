/// Stops the process because the program used the library wrongly, in release builds too.
///
/// What a Lua file can cause is thrown instead.
func trap(_ message: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("LuaBridge: \(message)", file: file, line: line)  // a caller's mistake, never a file's
}
