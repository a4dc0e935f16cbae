public import Foundation
package import GlassSchema

/// The process that the app runs in.
///
/// Foundation's `ProcessInfo` is the live implementation, as in the app that this project comes from.
public protocol AppProcessInfo: AnyObject, Sendable {
    /// The name of the process.
    var processName: String { get }
    /// The identifier of the process.
    var processIdentifier: Int32 { get }
    /// The operating system and its version, in human-readable form.
    var operatingSystemVersionString: String { get }
    /// The number of processors available to the process.
    var activeProcessorCount: Int { get }
    /// The memory of the machine in bytes.
    var physicalMemory: UInt64 { get }
    /// The number of seconds since the machine started.
    var systemUptime: TimeInterval { get }
}

extension AppProcessInfo {
    /// One getter for each property.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("processName", [], "The name of the process.") { _ in .string(self.processName) },
            ScriptMethod("processIdentifier", [], "The identifier of the process.") { _ in
                .integer(Int(self.processIdentifier))
            },
            ScriptMethod("operatingSystem", [], "The operating system and its version.") { _ in
                .string(self.operatingSystemVersionString)
            },
            ScriptMethod("activeProcessorCount", [], "The number of processors available to the process.") { _ in
                .integer(self.activeProcessorCount)
            },
            ScriptMethod("physicalMemory", [], "The memory of the machine in bytes.") { _ in
                .integer(Int(clamping: self.physicalMemory))
            },
            ScriptMethod("systemUptime", [], "The number of seconds since the machine started.") { _ in
                .number(self.systemUptime)
            },
        ]
    }
}

extension ProcessInfo: AppProcessInfo {}
