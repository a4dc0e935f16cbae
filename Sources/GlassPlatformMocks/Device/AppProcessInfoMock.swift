package import Foundation
import GlassPlatform

/// A process that a test describes.
package final class AppProcessInfoMock: AppProcessInfo {
    /// The name of the process.
    package let processName: String
    /// The identifier of the process.
    package let processIdentifier: Int32
    /// The operating system and its version.
    package let operatingSystemVersionString: String
    /// The number of processors available to the process.
    package let activeProcessorCount: Int
    /// The memory of the machine in bytes.
    package let physicalMemory: UInt64
    /// The number of seconds since the machine started.
    package let systemUptime: TimeInterval

    /// Creates a mock.
    package init(
        processName: String = "mock", processIdentifier: Int32 = 1, operatingSystemVersionString: String = "Mock 1",
        activeProcessorCount: Int = 1, physicalMemory: UInt64 = 1 << 30, systemUptime: TimeInterval = 1
    ) {
        self.processName = processName
        self.processIdentifier = processIdentifier
        self.operatingSystemVersionString = operatingSystemVersionString
        self.activeProcessorCount = activeProcessorCount
        self.physicalMemory = physicalMemory
        self.systemUptime = systemUptime
    }
}
