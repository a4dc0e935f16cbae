import ArgumentParser
import GlassBase
import GlassContainer
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import GlassAuthoring

struct SchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract:
            "Generates files from the market schema: editor stubs, a JSON Schema, the reference, keys in Swift, and release records.",
        discussion: """
            EXAMPLES
              glass-host schema stubs > glass.lua           definitions for lua-language-server
              glass-host schema json-schema > market.json   the schema of `show --format json`
              glass-host schema markdown                    the reference for every key
              glass-host schema swift > FlagKeys.swift      the flags of all markets, for the app
              glass-host schema record 24.3                 what this app version can read, for publishing
            """,
        subcommands: [Stubs.self, JSONSchema.self, Markdown.self, FlagKeys.self, Record.self])

    struct Stubs: HostCommand {
        static let configuration = CommandConfiguration(
            commandName: "stubs",
            abstract: "Prints definitions for lua-language-server.",
            usage: "glass-host schema stubs [<options>]",
            discussion: """
                The output is a `---@meta` file with a class for every key, directive, routable, service, and member \
                of `glass`. Save it in a folder that workspace.library in .luarc.json lists, as `glass-host new` does.

                EXAMPLES
                  glass-host schema stubs > .glass/glass.lua
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        /// The stub file of a program, with the ids of the markets in the selected folder, if any.
        static func text(in session: Session) -> String {
            let program = session.program
            // Use mocks, so that describing a service does not create one that accesses external systems.
            let module = ServiceSet.mock.module(of: program) { _ in PlatformHost() }
            let container = Container(module: module)
            let services = module.services.compactMap { service in
                service.scriptObject(in: container).map { (service.name, $0) }
            }
            var mocks = module.services.compactMap { service in
                (service.resolve(in: container) as? any ScriptedMock).map { (service.name, $0) }
            }
            if program.module.allServices.contains(where: { $0.type == PlatformHost.self }) {
                mocks.append(("\(HostClock.self)", HostClock()))
            }
            // Without a folder, any name can be a market.
            let markets = try? EditorStubs.Markets(of: MarketLoader(module, folder: session.options.marketFolder))
            return EditorStubs(for: module, services: services, mocks: mocks, markets: markets).text
        }

        func run(in session: Session) throws {
            try session.console.document("stubs", Self.text(in: session))
        }
    }

    struct JSONSchema: HostCommand {
        static let configuration = CommandConfiguration(
            commandName: "json-schema",
            abstract: "Prints the JSON Schema (draft 2020-12) of a market's effective configuration.",
            usage: "glass-host schema json-schema [<options>]",
            discussion: """
                The `value` that `glass-host show --format json` prints conforms to the schema.

                EXAMPLES
                  glass-host schema json-schema > market.json
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        func run(in session: Session) throws {
            let schema = MarketSchema(session.program.module).jsonSchema(
                title: "The effective configuration of a market")
            try session.console.document(json: JSONValue(schema))
        }
    }

    struct Markdown: HostCommand {
        static let configuration = CommandConfiguration(
            commandName: "markdown",
            abstract: "Prints the reference as Markdown: keys, directives, standard routables, and the scripting API.",
            usage: "glass-host schema markdown [<options>]",
            discussion: """
                The committed copy is ConfigurationReference.md in the documentation of GlassMarketFiles.

                EXAMPLES
                  glass-host schema markdown > ConfigurationReference.md
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        func run(in session: Session) throws {
            try session.console.document("markdown", MarketReference(of: session.program.module).page)
        }
    }

    struct FlagKeys: HostCommand {
        static let configuration = CommandConfiguration(
            commandName: "swift",
            abstract: "Prints Swift code with a typed key for each flag of the markets.",
            usage: "glass-host schema swift [<options>]",
            discussion: """
                Each flag becomes a constant such as `FlagKey.newCheckout`, which the app reads with \
                `flags[.newCheckout]`. Its default, for an app whose market has no such flag, is the flag's default \
                in the first market. Exits with 1 if two markets declare a flag with different types, or if two names \
                become \
                the same in Swift.

                EXAMPLES
                  glass-host schema swift > Sources/App/FlagKeys.swift
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        func run(in session: Session) throws {
            let markets = try session.markets()
            let ids = try session.reporting { try options.market.map { [$0] } ?? markets.marketIDs() }
            guard !ids.isEmpty else { throw markets.isEmptyFailure }
            let flags = try session.map(ids, of: markets, "loading") { ($0.id, $0.flags.set) }
            let source: FlagKeySource
            do throws(FlagKeySource.Conflict) {
                source = try FlagKeySource(flags)
            } catch {
                throw CommandFailure(status: .no, "\(error)")
            }
            try session.console.document("swift", source.text)
        }
    }

    struct Record: HostCommand {
        static let configuration = CommandConfiguration(
            commandName: "record",
            abstract:
                "Records what an app version can read, so that publishing can check compatibility.",
            usage: "glass-host schema record [<options>] <version>",
            discussion: """
                Writes releases/VERSION.json, which contains the declarations of all keys; the routables, handlers, \
                and preconditions; and the format of compiled markets. Run it for each release of the app and commit \
                the file: `publish` rejects markets that a recorded release could not read.

                EXAMPLES
                  glass-host schema record 24.3
                  glass-host schema record 24.3 --to ../releases
                """)

        @OptionGroup(title: "Global options") var options: GlobalOptions

        @Argument(help: "The app version.")
        var version: String

        @Option(
            help: ArgumentHelp(
                "The output folder, which is created if needed. (default: releases in the project folder)",
                valueName: "dir"),
            completion: .directory)
        var to: String?

        func validateArguments() throws {
            guard StringFormat.version.matches(version) else {
                throw ValidationError("expected \(StringFormat.version.expectation), got \(version.quotedForMessage)")
            }
        }

        func run(in session: Session) throws {
            let record = SchemaRecord(session.program.module, version: version)
            // The user did not name the default folder, so a symbolic link in its place must not lead out of the
            // project.
            let target =
                to.map { OutputFile.Target("\(version).json", below: $0) }
                ?? OutputFile.Target("releases/\(version).json", below: ProjectFolder.current)
            try target.write(record.bytes)
            let file = target.path
            if session.console.isJSON {
                try session.console.result(
                    json: [
                        "file": file, "version": version, "digest": record.digest, "format": record.format,
                    ])
            } else {
                session.console.result("\(file)")
            }
        }
    }
}
