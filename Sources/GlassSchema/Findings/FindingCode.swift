/// The rule that a ``Finding`` comes from; the raw value is what JSON output and documentation call it.
public enum FindingCode: String, Sendable, Hashable, CaseIterable {
    /// The file is not Lua.
    case syntax
    /// The file raised an error while it ran.
    case runtime
    /// The file used more time, memory or output than it may, or looking at it did.
    case limit
    /// The file uses a name that market files do not have, sets a global in a function, or asks a link or the navigation
    /// state for what they do not have.
    case denied
    /// A file, a list or a key that is larger than it may be.
    case tooLarge
    /// The file could not be read.
    case unreadable
    /// An included file that does not exist, lies outside of the markets folder or includes itself.
    case include
    /// The file does not return one table.
    case notATable = "noTable"
    /// A value has no form in a configuration: a float key, a cycle, text that is not UTF-8.
    case unrepresentable
    /// A key that the schema does not have.
    case unknownKey
    /// A key under a name that it had before.
    case renamedKey
    /// A value of another type than the schema says.
    case wrongType
    /// A number outside of its range, or a list of the wrong length.
    case outOfRange
    /// Text that does not have the form it needs.
    case invalidFormat
    /// A value that is not one of the listed ones.
    case invalidChoice = "notAChoice"
    /// A required key is absent.
    case missingKey
    /// A value that contradicts another one.
    case inconsistent
    /// A value that appears twice where each may appear once, or a key that is in its table already.
    case duplicate
    /// A literal where a secret belongs, or a secret where none may be.
    case secretMisplaced
    /// A secret whose name is none that a market may have the host look up.
    case secretNotAllowed = "secretForeign"
    /// A secret that the environment does not have.
    case secretUnset
    /// A secret that the environment has with a value that cannot be used: empty, or with a line break.
    case secretMalformed
    /// A global that a market file sets and nobody reads.
    case unusedGlobal
    /// The market's `id` is not its file's name.
    case idMismatch
    /// Markets that extend each other in a circle.
    case inheritanceCycle = "extendsCycle"
    /// The market that is extended does not exist.
    case missingBase
    /// `append`, `remove` or `unset` where the base has nothing to apply it to.
    case misplacedDirective = "misplacedWord"
    /// A routable that the app does not have, and of which the market does not say what it does.
    case unknownRoutable
    /// A precondition that neither the app nor the market has.
    case unknownPrecondition
    /// A handler that the app does not have.
    case unknownHandler
    /// A route pattern that cannot be compiled.
    case invalidPattern
    /// Two routes that match the same link with equal rank.
    case routeConflict
    /// A route that no link reaches, because more specific ones take them all.
    case routeShadowed
    /// A link of the extended market that opens another routable here.
    case routeMoved
    /// A link of the extended market that opens nothing here.
    case routeLost
    /// Keys that each market decides for itself, and this one inherits.
    case undecided
    /// A bundle identifier, Android package, scheme or universal link host that two markets of a folder have.
    case sharedIdentity
    /// What a built app says about itself, and its market says otherwise.
    case bundleMismatch = "bundleDiffers"
    /// A service that somebody needs and nobody registers.
    case missingService
    /// Services that need each other in a circle.
    case serviceCycle
    /// A service registered twice, or one that holds a shorter-lived one.
    case serviceLifetime
    /// What a compiled market cannot hold: a function.
    case notPortable
    /// A key that remote configuration cannot change.
    case notRemote
    /// What a policy of the project denies.
    case policy
    /// A policy that cannot be asked: its file cannot be read, or it raised an error or met a limit.
    case policyFailed
    /// An `accept` of a policy file whose last day is over.
    case acceptExpired
    /// An `accept` of a policy file for what nobody found.
    case acceptUnused
    /// How many findings of a file are not told one by one.
    case omittedFindings = "more"
}
