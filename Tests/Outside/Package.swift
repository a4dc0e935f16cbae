// swift-tools-version: 6.3

import PackageDescription

// An outside package, which only sees public products: see `run`.
let package = Package(
    name: "corner",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "glass-host", path: "../..")],
    targets: [
        .executableTarget(
            name: "corner-host",
            dependencies: [
                .product(name: "GlassHost", package: "glass-host"),
                .product(name: "GlassMarkets", package: "glass-host"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
