import ArgumentParser
import Foundation
import GlassBase
import GlassDelivery
import GlassHost

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Creates keys, and lists those of a publication.",
        discussion: """
            EXAMPLES
              glass-delivery key new release
              glass-delivery key list --to site
            """,
        subcommands: [New.self, List.self])

    struct New: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Creates keys that sign.",
            usage: "glass-delivery key new [<options>] <name> ...",
            discussion: """
                Writes NAME.pem, an Ed25519 key in PKCS#8 format that only you can read, and NAME.pub, its public key, \
                to $XDG_CONFIG_HOME/glass-delivery, which is ~/.config/glass-delivery if the variable is not set. \
                Commands that sign use the keys of this folder if --keys and --signer name no others.

                A key is never replaced. In a git checkout, git ignores the private keys.

                EXAMPLES
                  glass-delivery key new release
                  glass-delivery root rotate --to site --add targets=release.pub
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(
            name: .customLong("in"),
            help: ArgumentHelp(
                "The folder for the keys. (default: $XDG_CONFIG_HOME/glass-delivery)", valueName: "dir"))
        var folder: String?

        @Argument(help: ArgumentHelp("The names of the keys.", valueName: "name"))
        var names: [String]

        func validateArguments() throws {
            for name in names where name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,99}/) == nil {
                throw ValidationError("\(name) is not a name for a key; write one such as release, without folders")
            }
        }

        func publish(in session: Session) throws {
            guard let folder = folder ?? KeyOptions.folder(session.environment) else {
                throw PublishingError.impossible("neither HOME nor XDG_CONFIG_HOME is set; name a folder with --in")
            }
            if let published = RepositoryFolder.folder(around: folder) {
                throw PublishingError.impossible(
                    "the keys would be served with \(published); name a folder outside of it with --in")
            }
            // All or none.
            if let taken = names.first(where: { FileManager.default.fileExists(atPath: "\(folder)/\($0).pem") }) {
                throw PublishingError.impossible(
                    "\(folder)/\(taken).pem exists, and a key is never replaced; choose another name")
            }
            try KeyFile.makeFolder(folder)
            // Before the first key, so that none is ever visible to git.
            let note = try GitWorkingTree.ignoreKeys(in: folder)
            let keys = try names.map { try KeyFile.make(at: "\(folder)/\($0).pem") }
            if session.console.isJSON {
                let list: [JSONObject] = keys.map { ["path": $0.path, "id": $0.publicKey.id] }
                try session.console.result(json: ["keys": list])
            } else {
                for key in keys { session.console.result("\(key.path): key \(key.publicKey.id.prefix(12))") }
            }
            if let note { session.console.error("\("note", .dim): \(note)") }
        }
    }

    struct List: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the keys of a publication, and which private keys you have.",
            usage: "glass-delivery key list [<options>] --to <dir>",
            discussion: """
                For each key of the root: its role, its id, when the metadata that it signs expires, and the file of \
                the private key, if it is one of --keys. A signing command does not say which keys it has.

                EXAMPLES
                  glass-delivery key list --to site
                  glass-delivery key list --to site --keys release.pem
                """)

        @OptionGroup var keys: KeyOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(help: ArgumentHelp("The published folder, which contains metadata/ and targets/.", valueName: "dir"))
        var to: String

        func publish(in session: Session) throws {
            let state = try PublishedState(reading: RepositoryFolder(to))
            let files = try Signers(paths: keys.paths(session.environment), commands: []).files
            let rows = UpdateRole.allCases.flatMap { role in
                state.root[role].entries.map { entry in
                    (
                        role: role, id: entry.id, threshold: state.root[role].threshold,
                        expires: state.expires(role),
                        path: files.first { $0.privateKey != nil && $0.publicKey == entry.key }?.path
                    )
                }
            }
            let used = Set(rows.compactMap(\.path))
            let others = files.filter { $0.privateKey != nil && !used.contains($0.path) }
            if session.console.isJSON {
                let list: [JSONObject] = rows.map {
                    [
                        "role": $0.role.rawValue, "id": $0.id, "threshold": $0.threshold, "expires": $0.expires,
                        "path": $0.path,
                    ]
                }
                return try session.console.result(json: ["keys": list, "unused": others.map(\.path)])
            }
            var table = Table("ROLE", "KEY", "MUST SIGN", "EXPIRES", "PRIVATE KEY")
            for row in rows {
                let count = state.root[row.role].entries.count
                table.add(
                    "\(row.role.rawValue)", "\(row.id.prefix(12))", "\(row.threshold) of \(count)",
                    "\(row.expires ?? "-")", "\(row.path ?? "no")")
            }
            session.console.result(table.text(session.console))
            for file in others where !session.console.isQuiet {
                session.console.error("note: \(file.path) is the key of no role of root \(state.root.version)")
            }
        }
    }
}
