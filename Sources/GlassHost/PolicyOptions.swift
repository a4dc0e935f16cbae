import ArgumentParser
import Foundation
import GlassBase
import GlassMarketFiles
import GlassSchema

/// The option of commands that ask the project's policies.
struct PolicyOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder with the project's policies. (default: policies beside the markets folder, where there is one)",
            valueName: "dir"),
        completion: .directory)
    var policies: String?
}

extension Session {
    /// The policies of the project.
    func policies(in named: String?) throws -> PolicySet {
        let path = named ?? options.policies
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        guard exists else {
            guard let named else { return .none }
            throw CommandFailure(status: .impossible, .unreadable, "there is no folder \(named) with policies")
        }
        let folder = named == nil ? MarketFolder(found: path) : MarketFolder(path: path)
        return PolicySet(reading: folder) { [console] text in
            // Beside a result for a program, what a policy prints would break it.
            console.aside(DisplayText(lines: text))
        }
    }
}
