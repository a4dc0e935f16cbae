import Foundation

/// How wide results may be.
enum TerminalWidth {
    /// The columns of the terminal that standard output is; `COLUMNS` comes first, and without either there is no
    /// limit.
    static var current: Int? {
        if let columns = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
