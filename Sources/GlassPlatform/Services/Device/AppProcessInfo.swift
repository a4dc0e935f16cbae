public import Foundation
package import GlassSchema

/// The process that the app runs in.
///
/// Foundation's `ProcessInfo` is the live implementation, as in the app that this comes from.
public protocol AppProcessInfo: AnyObject, Sendable {
    /// The process's name.
    var processName: String { get }
    /// The process's number.
    var processIdentifier: Int32 { get }
    /// The operating system and its version as a person reads it.
    var operatingSystemVersionString: String { get }
    /// The processors that the process may use.
    var activeProcessorCount: Int { get }
    /// The memory of the machine in bytes.
    var physicalMemory: UInt64 { get }
    /// Seconds since the machine started.
    var systemUptime: TimeInterval { get }
}

extension AppProcessInfo {
    /// One getter per property.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("processName", [], "The process's name.") { _ in .string(self.processName) },
            ScriptMethod("processIdentifier", [], "The process's number.") { _ in
                .integer(Int(self.processIdentifier))
            },
            ScriptMethod("operatingSystem", [], "The operating system and its version.") { _ in
                .string(self.operatingSystemVersionString)
            },
            ScriptMethod("activeProcessorCount", [], "The processors that the process may use.") { _ in
                .integer(self.activeProcessorCount)
            },
            ScriptMethod("physicalMemory", [], "The memory of the machine in bytes.") { _ in
                .integer(Int(clamping: self.physicalMemory))
            },
            ScriptMethod("systemUptime", [], "Seconds since the machine started.") { _ in .number(self.systemUptime) },
        ]
    }
}

extension ProcessInfo: AppProcessInfo {}
