import GlassBase

/// The build tool plugin that compiles an app's markets with a host, and the lines of Package.swift that it needs.
struct PluginTemplate {
    /// The plugin's place in the package.
    static let path = "Plugins/CompileMarkets/CompileMarkets.swift"

    /// The name of the host's program.
    let host: String

    /// The plugin.
    var source: DisplayText {
        DisplayText(
            lines: """
                import Foundation
                import PackagePlugin

                /// Checks the markets in a target's folder `markets`, and compiles them into its resources.
                ///
                /// The host runs only if a Lua file of the target has changed. Its findings are those of the build.
                @main
                struct CompileMarkets: BuildToolPlugin {
                    /// The host that knows the app's keys: a program that this plugin depends on in Package.swift.
                    static let host = "\(host)"

                    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
                        let folder = target.directoryURL
                        let markets = folder.appending(path: "markets")
                        let output = context.pluginWorkDirectoryURL.appending(path: "markets")
                        // Markets include other files, and the folder `policies` next to them has rules for them. Sorted,
                        // because in another order they would be another command.
                        let files = (FileManager.default.subpaths(atPath: folder.path) ?? [])
                            .filter { $0.hasSuffix(".lua") && !$0.contains("/.") }.sorted().map { folder.appending(path: $0) }
                        guard files.contains(where: { $0.deletingLastPathComponent().path == markets.path }) else {
                            Diagnostics.error("there is no market in \\(markets.path); add one, or remove this plugin")
                            return []
                        }
                        return [
                            .buildCommand(
                                displayName: "Checking and compiling the markets of \\(target.name)",
                                executable: try context.tool(named: Self.host).url,
                                arguments: [
                                    "compile", "--markets", markets.path, "--to", output.path,
                                    "--without-maps", "--prune", "--findings-only",
                                ],
                                inputFiles: files,
                                // A folder keeps its name in the bundle. In it is the folder of the format.
                                outputFiles: [output])
                        ]
                    }
                }

                """)
    }

    /// What to add to Package.swift.
    var manifest: DisplayText {
        let isOwn = host != ProgramName.inHelp
        let tool = isOwn ? "\"\(host)\"" : ".product(name: \"\(host)\", package: \"glass-host\")"
        return DisplayText(
            lines: """
                dependencies: [
                    // The name is needed if the folder has a different one.
                    .package(name: "glass-host", path: "../glass-host")
                ],
                targets: [
                    .plugin(
                        name: "CompileMarkets", capability: .buildTool(),
                        dependencies: [\(tool)]),
                    // The target's folder contains the folder `markets`.
                    .target(
                        name: "AppMarkets",
                        dependencies: [
                            .product(name: "GlassMarkets", package: "glass-host"),
                            .product(name: "GlassPlatform", package: "glass-host"),
                        ],
                        plugins: ["CompileMarkets"]),
                ]
                """)
    }
}
