/// What the user calls the program: `glass-host`, or an app's own host by its name.
package enum ProgramName {
    /// The name that the texts of help have, which are written before it is known whose they are.
    package static let inHelp = "glass-host"
    /// The name of this program.
    package static var current: String { CommandContext.current.programName }
}
