/// The name by which the user invokes the program: `glass-host`, or the name of an app's own host.
package enum ProgramName {
    /// The name in help texts, which is replaced with the name of the running program.
    package static let inHelp = "glass-host"
    /// The name of this program.
    package static var current: String { CommandContext.current.programName }
}
