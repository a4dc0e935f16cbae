/// The rule that reported a ``Finding``. The raw value is its name in JSON output and documentation.
public enum FindingCode: String, Sendable, Hashable, CaseIterable {
    /// The file is not valid Lua.
    case syntax
    /// The file raised an error while it ran.
    case runtime
    /// The file, or checking it, exceeded the limit of time, memory or output.
    case limit
    /// The file uses a name that is not available in market files, sets a global variable in a function, or reads a
    /// member that a link or the navigation state does not have.
    case denied
    /// A file, a list or a key that is too large.
    case tooLarge
    /// The file could not be read.
    case unreadable
    /// An included file that does not exist, is outside the markets folder or includes itself.
    case include
    /// The file does not return a single table.
    case notATable = "noTable"
    /// A value that cannot be represented in a configuration: a float key, a cycle, a string that is not UTF-8.
    case unrepresentable
    /// A key that the schema does not contain.
    case unknownKey
    /// A key under a former name.
    case renamedKey
    /// A value that does not have the type that the schema requires.
    case wrongType
    /// A number outside its range, or a list of the wrong length.
    case outOfRange
    /// A string that does not have the required format.
    case invalidFormat
    /// A value that is not one of the allowed values.
    case invalidChoice = "notAChoice"
    /// A required key is missing.
    case missingKey
    /// A value that contradicts another value.
    case inconsistent
    /// Numbers that contradict each other, or that probably have another unit than the key's.
    case numbersDisagree
    /// A value that appears twice where each can appear only once, or a key that its table already contains.
    case duplicate
    /// A literal where a secret is required, or a secret where none is allowed.
    case secretMisplaced
    /// A secret whose name lacks an allowed prefix.
    case secretNotAllowed = "secretForeign"
    /// A secret that is not set in the environment.
    case secretUnset
    /// A secret whose value in the environment cannot be used, because it is empty or contains characters such as line
    /// breaks.
    case secretMalformed
    /// A global variable that a market file sets and that is never read.
    case unusedGlobal
    /// An entry of a table that sets nothing: `nil` where a value is inherited, or a call of `print`. Also an overlay or a
    /// rule of a flag that changes nothing.
    case noEffect
    /// The market's `id` is not its file's name.
    case idMismatch
    /// Markets that extend each other in a cycle.
    case inheritanceCycle = "extendsCycle"
    /// The base market does not exist.
    case missingBase
    /// `append`, `remove` or `unset` where the base market has nothing to apply it to.
    case misplacedDirective = "misplacedWord"
    /// A routable that the app does not define and to which the market gives no `show` or handler.
    case unknownRoutable
    /// A precondition that neither the app nor the market defines.
    case unknownPrecondition
    /// A handler that the app does not define.
    case unknownHandler
    /// A route pattern that cannot be compiled.
    case invalidPattern
    /// Two routes that match the same link with equal rank.
    case routeConflict
    /// An unreachable route: more specific routes match all of its links.
    case routeShadowed
    /// A route whose universal links all stay in the browser.
    case routeInBrowser
    /// A link of the base market that opens another routable in this market.
    case routeMoved
    /// A link of the base market that opens nothing in this market.
    case routeLost
    /// Keys that each market should set itself, but this one inherits.
    case undecided
    /// A bundle identifier, Android package, scheme or universal link host that two markets of a folder share.
    case sharedIdentity
    /// Metadata of a built app that differs from its market.
    case bundleMismatch = "bundleDiffers"
    /// A required service that is not registered.
    case missingService
    /// Services that depend on each other in a cycle.
    case serviceCycle
    /// A service registered twice, or one that holds a service with a shorter lifetime.
    case serviceLifetime
    /// A function, which a compiled market cannot contain.
    case notPortable
    /// A key that remote configuration cannot change.
    case notRemote
    /// A denial of a project policy.
    case policy
    /// A policy that failed to run: its file cannot be read, or it raised an error or exceeded a limit.
    case policyFailed
    /// An `accept` that has expired.
    case acceptExpired
    /// An `accept` that matches no finding.
    case acceptUnused
    /// A condition that tests an attribute that neither the platform, a module nor the market declares.
    case unknownAttribute
    /// A condition that names one that does not exist.
    case unknownCondition
    /// Conditions that name each other in a cycle.
    case conditionCycle
    /// A test that does not suit its attribute.
    case invalidTest
    /// A condition that no situation fulfills.
    case neverHolds
    /// An alternative that is never chosen: those before it take every situation in which it holds.
    case unreachable
    /// Two alternatives that both hold in some situation, with different values and none more specific.
    case overlap
    /// A situation for which a key has no value.
    case notExhaustive
    /// A key that depends on an attribute that changes more often than the key can.
    case variesTooOften
    /// Conditions that exceed a limit, so that they cannot be proven.
    case tooManySituations
    /// A date of a condition that has passed.
    case dateOver
    /// A percentage outside 0 to 100, or finer than units can be divided.
    case invalidPercent
    /// Weights of a split outside 0 to 100, or above 100 in sum.
    case invalidWeights
    /// A share of an attribute that identifies no units, or of none.
    case invalidUnit
    /// A value of a flag that has another type than its default, or a variant that does not exist.
    case invalidFlag
    /// Two flags that share slots of a layer in some situation.
    case layerOverlap
    /// A flag whose last day has passed.
    case flagExpired
    /// A flag without an owner.
    case flagUnowned
    /// Rules of a flag that replace all rules of the base market.
    case rulesReplaced
    /// A share of a unit that is missing until somebody signs in, so people switch when they sign in.
    case unitAtSignIn
    /// A URL without encryption.
    case insecureURL
    /// A currency, locale, region, text, cookie or the like that does not suit the market's country or its languages.
    case countryMismatch
    /// A text for users in a script in which none of its languages is written.
    case scriptMismatch
    /// A text that looks like a credential.
    case literalCredential
    /// A text that a template or an author left to be replaced, such as `example.com`, or a word of the language in quotes,
    /// such as `"unset"`.
    case placeholderText
    /// An environment with the URL of another one for a service.
    case sharedURL
    /// A service that a market sets in one environment and inherits in another.
    case inheritedService
    /// A value that another market has, and that names that market.
    case foreignName
    /// A host of universal links that is not in `allowedDomains`.
    case unlistedHost
    /// An allowed domain in which others have their sites, such as `com.mx`.
    case publicSuffix
    /// An `accept` of a market file that cannot be used.
    case invalidAccept
    /// A tab or a screen that the app does not have, or whose name is nearly one that another routable shows.
    case unknownScreen
    /// A precondition of the market that no link waits for.
    case unusedPrecondition
    /// A deprecated path whose last day is over.
    case expiredPath
    /// A path that the links of a custom scheme cannot contain.
    case unreachablePath
    /// A parameter of a path that the market's own routable does not read.
    case unreadParameter
    /// A path without a parameter that the market's own routable requires.
    case missingParameter
    /// A parameter of a path that accepts values which its routable declines.
    case declinedParameter
    /// The environment of users in a debug build, or one for tests in a release.
    case debugProduction
    /// The number of findings in a file beyond those that are listed.
    case omittedFindings = "more"
}

extension FindingCode {
    /// The names of removed rules. Files may still contain them, and no new rule takes one.
    package static let retired: Set<String> = ["similarHost", "similarName"]

    /// A summary of the rule, in one sentence.
    package var summary: String {
        switch self {
        case .syntax: "The file is not valid Lua."
        case .runtime: "The file raised an error while it ran."
        case .limit: "The file exceeded its time, memory, or output limit."
        case .denied: "The file uses a name that is not available in market files."
        case .tooLarge: "A file, a list, or a key is too large."
        case .unreadable: "The file could not be read."
        case .include: "An included file does not exist, is outside the markets folder, or includes itself."
        case .notATable: "The file does not return a single table."
        case .unrepresentable: "A value cannot be represented in a configuration."
        case .unknownKey: "The schema does not contain the key."
        case .renamedKey: "The file uses a former name of the key."
        case .wrongType: "The value does not have the type that the schema requires."
        case .outOfRange: "A number is outside its range, or a list has the wrong length."
        case .invalidFormat: "A string does not have the required format."
        case .invalidChoice: "The value is not one of the allowed values."
        case .missingKey: "A required key is missing."
        case .inconsistent: "A value contradicts another value."
        case .numbersDisagree: "Numbers contradict each other, or a number is not in the unit of its key."
        case .duplicate: "A value or a key that can appear only once appears twice."
        case .secretMisplaced: "A literal replaces a required secret, or a secret is used where none is allowed."
        case .secretNotAllowed: "The secret's name does not begin with an allowed prefix."
        case .secretUnset: "The secret is not set in the environment."
        case .secretMalformed: "The secret's value in the environment is empty or contains invalid characters."
        case .unusedGlobal: "A market file sets a global variable that is never read."
        case .noEffect: "An entry of a table, an overlay, or a rule has no effect."
        case .idMismatch: "The market's id does not match its file name."
        case .inheritanceCycle: "Markets extend each other in a cycle."
        case .missingBase: "The base market does not exist."
        case .misplacedDirective: "An append, remove, or unset directive has nothing to apply to."
        case .unknownRoutable: "The app does not define the routable, and the market sets no show or handler for it."
        case .unknownPrecondition: "Neither the app nor the market defines the precondition."
        case .unknownHandler: "The app does not define the handler."
        case .invalidPattern: "A route pattern cannot be compiled."
        case .routeConflict: "Two routes match the same link with equal rank."
        case .routeShadowed: "The route is unreachable: more specific routes match all of its links."
        case .routeInBrowser:
            "All universal links of the route stay in the browser, so only links with custom schemes open it."
        case .routeMoved: "A link of the base market opens a different routable in this market."
        case .routeLost: "A link of the base market opens nothing in this market."
        case .undecided: "The market inherits keys that each market should set itself."
        case .sharedIdentity: "Two markets share an identifier that must be unique."
        case .bundleMismatch: "A built app's metadata differs from its market."
        case .missingService: "A required service is not registered."
        case .serviceCycle: "Services depend on each other in a cycle."
        case .serviceLifetime: "A service is registered twice, or holds a service with a shorter lifetime."
        case .notPortable: "The market contains a function, which a compiled market cannot contain."
        case .notRemote: "Remote configuration cannot change the key."
        case .policy: "A project policy denies a market or a change."
        case .policyFailed: "A project policy failed to run."
        case .acceptExpired: "An accept has expired."
        case .acceptUnused: "An accept does not match any finding."
        case .unknownAttribute: "A condition tests an attribute that is not declared."
        case .unknownCondition: "A condition refers to one that does not exist."
        case .conditionCycle: "Conditions refer to each other in a cycle."
        case .invalidTest: "The test of a condition is not valid for its attribute."
        case .neverHolds: "The condition can never be true."
        case .unreachable: "An alternative is never used: the ones before it cover every situation in which it holds."
        case .overlap: "Two alternatives hold in the same situation, and neither is more specific."
        case .notExhaustive: "The key has no value in some situations."
        case .variesTooOften: "The key depends on an attribute that changes more often than the key can."
        case .tooManySituations: "The conditions exceed a limit."
        case .dateOver: "A date in a condition has passed."
        case .invalidPercent: "The percentage is invalid or too precise."
        case .invalidWeights: "A weight of a split is not from 0 to 100, or the weights add up to more than 100."
        case .invalidUnit: "The attribute of a percentage does not identify units."
        case .invalidFlag: "A value of a flag does not have the type of its default, or the variant does not exist."
        case .layerOverlap: "Two flags use the same slots of a layer."
        case .flagExpired: "The flag has expired."
        case .flagUnowned: "The flag has no owner."
        case .rulesReplaced: "The rules of a flag replace all rules of the base market."
        case .unitAtSignIn: "People can get a different value when they sign in, because the unit has no value before."
        case .insecureURL: "A URL is not encrypted."
        case .countryMismatch: "A value does not match the market's country or languages."
        case .scriptMismatch: "A text is in a script that its language does not use."
        case .literalCredential: "A value looks like a credential."
        case .placeholderText: "A value is a placeholder."
        case .sharedURL: "Two environments have the same URL for a service."
        case .inheritedService: "A market sets a service in one environment and inherits it in another."
        case .foreignName: "A value belongs to another market, whose name it contains."
        case .unlistedHost: "A host of universal links is not in allowedDomains."
        case .publicSuffix: "An allowed domain is a public suffix, under which others have sites."
        case .invalidAccept: "An accept in a market file names no rule that can be accepted, or has no reason."
        case .unknownScreen:
            "The app does not have the tab or screen, or another routable shows one with a similar name."
        case .unusedPrecondition: "No link waits for the precondition."
        case .expiredPath: "A deprecated path has expired."
        case .unreachablePath: "The links of a custom scheme cannot contain the path."
        case .unreadParameter: "The market's routable does not read a parameter of its path."
        case .missingParameter: "A path lacks a parameter that the market's routable requires."
        case .declinedParameter: "A parameter of a path accepts values that its routable declines."
        case .debugProduction: "A debug build uses the production environment, or a release uses a test environment."
        case .omittedFindings: "A file has more findings than are listed."
        }
    }
}

extension Finding {
    /// The note about an entry that names a removed rule; nil for any other name.
    ///
    /// - Parameter entry: What the entry is, such as "accept".
    package init?(
        ofRetiredRule name: String, in entry: String, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath()
    ) {
        guard FindingCode.retired.contains(name) else { return nil }
        self.init(
            .acceptUnused, severity: .note, at: position, path: path, subject: "\(entry) \(name)",
            "the rule \(name) no longer exists, so this \(entry) has no effect", hint: "remove it")
    }
}
