import ArgumentParser
import Foundation
import GlassBase
import GlassDelivery
import GlassHost

struct RootKeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "root",
        abstract: "Creates and changes the root metadata, which defines the keys of each role.",
        discussion: """
            An app ships with a root and updates from it to the newest root. Each root is signed with enough keys of \
            the previous one, so you can replace keys, including lost ones, without releasing a new app.

            EXAMPLES
              glass-delivery root init --to site --make-keys keys
              glass-delivery root rotate --to site --add root=dora.pub --remove root=1fa1097 --keys alice.pem
              glass-delivery root sign --to site --keys bob.pem
            """,
        subcommands: [Init.self, Rotate.self, Sign.self])

    struct Init: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Creates the first root of a folder.",
            usage: "glass-delivery root init [<options>] --to <dir> (--make-keys <dir> | --key <role=file> ...)",
            discussion: """
                The roles are root, targets, snapshot, and timestamp, and no two of them share a key. Unless you set \
                --threshold, two keys must sign for the root role if it has several, and one key must sign for every \
                other role. A key file may contain only the public key, if its owner keeps the private key elsewhere. \
                In that case, the root stays in DIR/staged until enough owners have run `root sign`.

                EXAMPLES
                  glass-delivery root init --to site --make-keys keys
                  glass-delivery root init --to site --key root=alice.pub --key root=bob.pub --key root=carol.pub \\
                    --key targets=release.pem --key snapshot=ci.pem --key timestamp=daily.pem
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(help: ArgumentHelp("A key for a role; may be repeated.", valueName: "role=file"))
        var key: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "The number of keys that must sign for a role; may be repeated.", valueName: "role=number"))
        var threshold: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "Create Ed25519 keys in a folder for roles without --key: three for root, and one for each other role.",
                valueName: "dir"))
        var makeKeys: String?

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session, "root init")
            var made: [KeyFile] = []
            let result = try publisher.folder.locked {
                if let version = publisher.folder.versions(of: "root").last {
                    throw PublishingError.refused(
                        "\(publisher.folder.path) already has a root, version \(version); "
                            + "change it with glass-delivery root rotate"
                    )
                }
                var named = try RoleValue.keys(key)
                if let makeKeys {
                    guard !publisher.folder.contains(makeKeys) else {
                        throw PublishingError.impossible(
                            "the keys would be served with \(publisher.folder.path); name a folder outside of it with "
                                + "--make-keys")
                    }
                    try Self.make(in: makeKeys, for: &named)
                    made = named[.root] ?? []
                    if let note = try GitWorkingTree.ignoreKeys(in: makeKeys) {
                        session.console.error("\("note", .dim): \(note)")
                    }
                }
                let root = try RootCeremony(now: publisher.now).first(
                    keys: named.mapValues { $0.map(\.publicKey) }, thresholds: try RoleValue.thresholds(threshold))
                return try publisher.adding(named.values.joined()).publish(first: root)
            }
            try PublishOutput(result).print(in: session, publisher.folder)
            guard !made.isEmpty, !session.console.isQuiet, !session.console.isJSON else { return }
            Console.message(
                """
                back up \(made.map(\.path).joined(separator: ", ")), each in a place of its own, and take them off \
                this machine: without enough of them, only a new version of the app can change the keys
                """)
            if result.missing.isEmpty {
                Console.message("ship \(publisher.folder.path)/metadata/1.root.json with the app")
            }
        }

        private static func make(in folder: String, for named: inout [UpdateRole: [KeyFile]]) throws {
            try KeyFile.makeFolder(folder)
            for role in UpdateRole.allCases where named[role] == nil {
                let names = role == .root ? ["root-1", "root-2", "root-3"] : [role.rawValue]
                named[role] = try names.map { try KeyFile.make(at: "\(folder)/\($0).pem") }
            }
        }
    }

    struct Rotate: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate",
            abstract: "Creates the next root, to change keys or to renew the root for another year.",
            usage: "glass-delivery root rotate [<options>] --to <dir>",
            discussion: """
                Enough keys of both the previous root and the new root must sign it. Until then, it stays in \
                DIR/staged. Metadata signed with a removed key is signed again with the current keys of its role, so \
                if you change the keys of targets, snapshot, or timestamp, also pass the new private keys.

                EXAMPLES
                  glass-delivery root rotate --to site --keys alice.pem --keys bob.pem
                  glass-delivery root rotate --to site --remove timestamp=5a392160 --add timestamp=new.pem --keys keys
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Option(help: ArgumentHelp("A key to add to a role; may be repeated.", valueName: "role=file"))
        var add: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "The id of a key to remove from a role, or a prefix of the id; may be repeated.", valueName: "role=id"))
        var remove: [RoleValue] = []

        @Option(
            help: ArgumentHelp(
                "The number of keys that must sign for a role; may be repeated.", valueName: "role=number"))
        var threshold: [RoleValue] = []

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session, "root rotate")
            let result = try publisher.folder.locked {
                let state = try PublishedState(reading: publisher.folder)
                let added = try RoleValue.keys(add)
                var change = Publisher.Change()
                change.root = try RootCeremony(now: publisher.now).next(
                    after: state.root, adding: added.mapValues { $0.map(\.publicKey) },
                    removing: Dictionary(grouping: remove, by: \.role).mapValues { $0.map(\.value) },
                    thresholds: try RoleValue.thresholds(threshold))
                return try publisher.adding(added.values.joined()).publish(change, after: state, staging: true)
            }
            try PublishOutput(result).print(in: session, publisher.folder)
        }
    }

    struct Sign: PublishingCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign",
            abstract: "Signs a staged root, and publishes it once it has enough signatures.",
            usage: "glass-delivery root sign [<options>] --to <dir> --keys <path>",
            discussion: """
                EXAMPLES
                  glass-delivery root sign --to site --keys bob.pem
                  glass-delivery root sign --to site --signer ./sign-with-token
                """)

        @OptionGroup var publishing: PublishingOptions
        @OptionGroup(title: "Global options") var options: GlobalOptions

        func publish(in session: Session) throws {
            let publisher = try publishing.publisher(session, "root sign")
            let result = try publisher.folder.locked {
                let isFirst = publisher.folder.versions(of: "root").isEmpty
                return try publisher.signStaged(
                    after: isFirst ? nil : PublishedState(reading: publisher.folder), roles: [.root])
            }
            try PublishOutput(result).print(in: session, publisher.folder)
        }
    }
}

/// A value `ROLE=VALUE` of an option, which gives a key or a number of keys for a role.
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

    /// Reads the named key files.
    static func keys(_ values: [RoleValue]) throws(PublishingError) -> [UpdateRole: [KeyFile]] {
        var keys: [UpdateRole: [KeyFile]] = [:]
        for value in values { keys[value.role, default: []].append(try KeyFile(reading: value.value)) }
        return keys
    }

    /// Parses the numbers of keys.
    static func thresholds(_ values: [RoleValue]) throws(PublishingError) -> [UpdateRole: Int] {
        var thresholds: [UpdateRole: Int] = [:]
        for value in values {
            guard let number = Int(value.value), number > 0 else {
                throw .impossible("\(value.value) is not a valid number of keys for the role \(value.role.rawValue)")
            }
            thresholds[value.role] = number
        }
        return thresholds
    }
}
