public import Foundation

/// What opens a link that leaves the app.
public enum URLOpener: Sendable {
    /// The system's opener: `xdg-open` on Linux, the workspace on macOS, the application on iOS. An app extension has no
    /// application, and gives a ``custom(_:)`` opener of its context.
    case system
    /// Nothing is opened; the sink gets the link's text, as a command line that only shows it.
    case print(@Sendable (String) -> Void)
    /// The program's own way.
    case custom(@Sendable (URL) async throws -> Void)
}

/// Starts a program of the desktop with a link as its only argument, and without a shell.
package struct DesktopOpener: Sendable {
    /// The program's name or path.
    var program = "xdg-open"
    /// Where a program given by name is looked for.
    var searchPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    /// A program that is still at work after this time has taken the link: some stay as long as the browser does.
    var patience = Duration.seconds(3)

    /// The system's own, looked for as a shell does.
    package static var system: DesktopOpener { DesktopOpener() }

    #if os(Linux) || os(macOS)
        /// Opens a link.
        ///
        /// - Parameter url: The link.
        /// - Throws: ``ApplicationURLError/noOpener(_:)`` or ``ApplicationURLError/openerFailed(_:url:cause:)``.
        package func open(_ url: URL) async throws(ApplicationURLError) {
            guard let path else { throw .noOpener(program) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = [url.absoluteString]
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
                throw .openerFailed(program, url: url.absoluteString, cause: error)
            }
            let timer = Task { [patience] in
                // Cancelled when the program ended first; there is nothing to end then.
                try? await Task.sleep(for: patience)  // an early end only finishes a stream that has its value
                ended.finish()
            }
            defer { timer.cancel() }
            for await status in statuses where status != 0 {
                throw .openerFailed(program, url: url.absoluteString, cause: OpenerExit(status: status))
            }
        }

        private var path: String? {
            if program.contains("/") { return FileManager.default.isExecutableFile(atPath: program) ? program : nil }
            return searchPath.split(separator: ":").map { "\($0)/\(program)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    #endif
}

/// The opener ended with another status than 0.
struct OpenerExit: Error, CustomStringConvertible {
    let status: Int32

    var description: String { "it ended with status \(status)" }
}
