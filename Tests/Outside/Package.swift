// swift-tools-version: 6.3

import PackageDescription

/// Products of glass-host.
func glass(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "glass-host") } }

// The package of an app, which only sees public products, and whose build checks its markets: see `run`.
let package = Package(
    name: "corner",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "glass-host", path: "../..")],
    targets: [
        // What the app's markets can say.
        .target(name: "AppModule", dependencies: glass("GlassMarkets", "GlassSchema")),
        // The app's own host.
        .executableTarget(name: "app-host", dependencies: ["AppModule"] + glass("GlassHost", "GlassMarkets")),
        .plugin(name: "CompileMarkets", capability: .buildTool(), dependencies: ["app-host"]),
        // The app's markets, in its bundle.
        .target(
            name: "AppMarkets", dependencies: ["AppModule"] + glass("GlassMarkets"), plugins: ["CompileMarkets"]),
        .executableTarget(name: "app", dependencies: ["AppMarkets", "AppModule"] + glass("GlassMarkets")),
    ],
    swiftLanguageModes: [.v6]
)
