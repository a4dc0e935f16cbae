public import Foundation

/// An opener for links that leave the app.
public enum URLOpener: Sendable {
    /// The system's opener: `xdg-open` on Linux, the workspace on macOS, and the application on iOS. An app extension
    /// has no application, so it provides a ``custom(_:)`` opener that uses its context.
    case system
    /// Opens nothing. The sink gets the text of the link, for a command-line program that only prints it.
    case print(@Sendable (String) -> Void)
    /// The program's own opener.
    case custom(@Sendable (URL) async throws -> Void)
}

/// Starts a desktop program with a link as its only argument, without a shell.
package struct DesktopOpener: Sendable {
    /// The name or path of the program.
    var program = "xdg-open"
    /// The search path for a program given by name.
    var searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    /// The time after which a program that is still running counts as successful: some run for as long as the browser
    /// does.
    var patience = Duration.seconds(3)

    /// The system's opener, found like a command in a shell.
    package static var system: DesktopOpener { DesktopOpener() }

    #if os(Linux) || os(macOS)
        /// Opens a link.
        ///
        /// - Parameter url: The link. The program gets the same bytes.
        /// - Throws: ``ApplicationURLError/noOpener(_:)`` or ``ApplicationURLError/openerFailed(_:url:cause:)``.
        package func open(_ url: String) async throws(ApplicationURLError) {
            guard let path else { throw .noOpener(program) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = [url]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let (statuses, ended) = AsyncStream.makeStream(of: Int32.self)
            process.terminationHandler = {
                ended.yield($0.terminationStatus)
                ended.finish()
            }
            do {
                try process.run()
            } catch {
                throw .openerFailed(program, url: url, cause: error)
            }
            let timer = Task { [patience] in
                // Canceled if the program ended first, in which case there is no work left.
                try? await Task.sleep(for: patience)  // if it ends early, the stream has already finished
                ended.finish()
            }
            defer { timer.cancel() }
            for await status in statuses where status != 0 {
                throw .openerFailed(program, url: url, cause: OpenerExit(status: status))
            }
        }

        private var path: String? {
            if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
            return searchPath.split(separator: ":").map { "\($0)/\(program)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    #endif
}

/// The opener exited with a nonzero status.
struct OpenerExit: Error, CustomStringConvertible {
    let status: Int32

    var description: String { "it exited with status \(status)" }
}
