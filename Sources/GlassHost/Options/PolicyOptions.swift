import ArgumentParser
import GlassBase
import GlassMarketFiles
import GlassSchema
import GlassAuthoring

/// The option of commands that run the project's policies.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder with the project's policies. (default: policies next to the markets folder, if it exists)",
            valueName: "dir"),
        completion: .directory)
    var policies: String?
}

extension Session {
    /// The policies of the project.
    func policies(in named: String?) throws -> PolicySet {
        let path = named ?? options.policies
        guard ConfinedDirectory.isFolder(path) else {
            guard let named else { return .none }
            throw CommandFailure(status: .impossible, .unreadable, "there is no folder \(named) with policies")
        }
        let folder = named == nil ? MarketFolder(found: path) : MarketFolder(path: path)
        var policies = PolicySet(reading: folder) { [console] text in
            // Output of a policy would corrupt a JSON result, so it goes to standard error.
            console.aside(DisplayText(lines: text))
        }
        policies.account = account
        return policies
    }
}
