import ArgumentParser
import Foundation
import GlassDelivery
import GlassHost

struct RootKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Makes and changes the root: which keys sign what.",
        discussion: """
            An app ships with a root, and follows from it to the newest one, each signed by enough keys of the one before. \
            So keys can be replaced, lost ones included, without a new app.

            EXAMPLES
              glass-delivery root init --to site --make-keys keys
              glass-delivery root rotate --to site --add root=dora.pub --remove root=1fa1097 --keys alice.pem
              glass-delivery root sign --to site --keys bob.pem
            """,
        subcommands: [Init.self, Rotate.self, Sign.self])

    struct Init: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Makes the first root of a folder.",
            usage: "glass-delivery root init [<options>] --to <dir> (--make-keys <dir> | --key <role=file> ...)",
            discussion: """
                The roles are root, targets, snapshot and timestamp, and no two share a key. Of several root keys two must \
                sign, unless --threshold says otherwise; of the others' one. A FILE may hold the public key alone, when \
                its owner keeps the private one elsewhere; then the root waits until enough owners ran root sign.

                EXAMPLES
                  glass-delivery root init --to site --make-keys keys
                  glass-delivery root init --to site --key root=alice.pub --key root=bob.pub --key root=carol.pub \\
                    --key targets=release.pem --key snapshot=ci.pem --key timestamp=daily.pem
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(help: ArgumentHelp("A key of a role; may be repeated.", valueName: "role=file"))
        var key: [RoleValue] = []

        @Option(help: ArgumentHelp("How many keys of a role sign; may be repeated.", valueName: "role=number"))
        var threshold: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "Make keys (Ed25519) in a folder for the roles without --key: three for the root, one for each other.",
                valueName: "dir"))
        var makeKeys: String?

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session)
            let result = try publisher.folder.locked {
                if let version = publisher.folder.versions(of: "root").last {
                    throw PublishingError.refused(
                        "\(publisher.folder.path) has a root, version \(version); change it with glass-delivery root rotate"
                    )
                }
                var named = try RoleValue.keys(key)
                if let makeKeys { try Self.make(in: makeKeys, for: &named) }
                let root = try RootCeremony(now: publisher.now).first(
                    keys: named.mapValues { $0.map(\.publicKey) }, thresholds: try RoleValue.thresholds(threshold))
                let signers = Signers(
                    files: publisher.signers.files + named.values.joined(), commands: publisher.signers.commands)
                return try Publisher(
                    folder: publisher.folder, signers: signers, now: publisher.now, secrets: publisher.secrets
                ).publish(first: root)
            }
            try PublishOutput(result).print(in: session, publisher.folder)
        }

        private static func make(in folder: String, for named: inout [UpdateRole: [KeyFile]]) throws {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw PublishingError.impossible("cannot make the folder \(folder): \(error.localizedDescription)")
            }
            for role in UpdateRole.allCases where named[role] == nil {
                let names = role == .root ? ["root-1", "root-2", "root-3"] : [role.rawValue]
                named[role] = try names.map { try KeyFile.make(at: "\(folder)/\($0).pem") }
            }
        }
    }

    struct Rotate: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Makes the next root: with other keys, or signed anew for another year.",
            usage: "glass-delivery root rotate [<options>] --to <dir>",
            discussion: """
                Enough keys of the root before must sign it, and enough of its own; until they have, it waits in \
                DIR/staged. What keys signed that a role loses is signed again with those that it has now, so name them \
                too when the keys of targets, snapshot or timestamp change.

                EXAMPLES
                  glass-delivery root rotate --to site --keys alice.pem --keys bob.pem
                  glass-delivery root rotate --to site --remove timestamp=5a392160 --add timestamp=new.pem --keys keys
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(help: ArgumentHelp("A key that a role gets; may be repeated.", valueName: "role=file"))
        var add: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "The id of a key that a role loses, or its beginning; may be repeated.", valueName: "role=id"))
        var remove: [RoleValue] = []

        @Option(help: ArgumentHelp("How many keys of a role sign; may be repeated.", valueName: "role=number"))
        var threshold: [RoleValue] = []

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session)
            let result = try publisher.folder.locked {
                let state = try PublishedState(reading: publisher.folder)
                let added = try RoleValue.keys(add)
                var change = Publisher.Change()
                change.root = try RootCeremony(now: publisher.now).next(
                    after: state.root, adding: added.mapValues { $0.map(\.publicKey) },
                    removing: Dictionary(grouping: remove, by: \.role).mapValues { $0.map(\.value) },
                    thresholds: try RoleValue.thresholds(threshold))
                let signers = Signers(
                    files: publisher.signers.files + added.values.joined(), commands: publisher.signers.commands)
                return try Publisher(
                    folder: publisher.folder, signers: signers, now: publisher.now, secrets: publisher.secrets
                ).publish(change, after: state, staging: true)
            }
            try PublishOutput(result).print(in: session, publisher.folder)
        }
    }

    struct Sign: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Adds signatures to a root that waits, and publishes it when there are enough.",
            usage: "glass-delivery root sign [<options>] --to <dir> --keys <path>",
            discussion: """
                EXAMPLES
                  glass-delivery root sign --to site --keys bob.pem
                  glass-delivery root sign --to site --signer ./sign-with-token
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session)
            let result = try publisher.folder.locked {
                let isFirst = publisher.folder.versions(of: "root").isEmpty
                return try publisher.signStaged(
                    after: isFirst ? nil : PublishedState(reading: publisher.folder), roles: [.root])
            }
            try PublishOutput(result).print(in: session, publisher.folder)
        }
    }
}

/// `ROLE=VALUE`, as options name a key or a number of a role.
struct RoleValue: ExpressibleByArgument {
    let role: UpdateRole
    let value: String

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), let role = UpdateRole(rawValue: String(argument[..<equals]))
        else {
            return nil
        }
        self.role = role
        value = String(argument[argument.index(after: equals)...])
        if value.isEmpty { return nil }
    }

    /// Reads the keys that values name.
    static func keys(_ values: [RoleValue]) throws(PublishingError) -> [UpdateRole: [KeyFile]] {
        var keys: [UpdateRole: [KeyFile]] = [:]
        for value in values { keys[value.role, default: []].append(try KeyFile(reading: value.value)) }
        return keys
    }

    /// Reads the numbers that values are.
    static func thresholds(_ values: [RoleValue]) throws(PublishingError) -> [UpdateRole: Int] {
        var thresholds: [UpdateRole: Int] = [:]
        for value in values {
            guard let number = Int(value.value), number > 0 else {
                throw .impossible("\(value.value) is no number of keys of the role \(value.role.rawValue)")
            }
            thresholds[value.role] = number
        }
        return thresholds
    }
}
