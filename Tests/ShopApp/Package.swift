// swift-tools-version: 6.3

import PackageDescription

/// What every target is compiled with, as those of the package that this one uses.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
]

func glass(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "glass-host") } }

// A package of an app team: it sees what is public, and nothing else.
let package = Package(
    name: "shop",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "glass-host", path: "../..")],
    targets: [
        // Two feature packages; in a real app each would have a repository of its own.
        .target(
            name: "Loyalty",
            dependencies: glass("GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassPlatform", "GlassSchema"),
            swiftSettings: settings),
        .target(
            name: "Search", dependencies: glass("GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassSchema"),
            swiftSettings: settings),
        .target(
            name: "ShopMarkets",
            dependencies: ["Loyalty", "Search"]
                + glass("GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassPlatform", "GlassSchema"),
            swiftSettings: settings),
        .target(
            name: "ShopMocks",
            dependencies: ["Loyalty", "Search"]
                + glass("GlassContainer", "GlassMarkets", "GlassPlatformMocks", "GlassSchema"),
            swiftSettings: settings),
        .executableTarget(
            name: "shop-host", dependencies: ["ShopMarkets", "ShopMocks"] + glass("GlassHost", "GlassMarkets"),
            swiftSettings: settings),
        // An extension of the app: compiled markets, five services, no Lua.
        .executableTarget(
            name: "widget",
            dependencies: ["Loyalty", "ShopMarkets"] + glass("GlassContainer", "GlassMarkets", "GlassPlatform"),
            swiftSettings: settings),
        .testTarget(
            name: "ShopTests",
            dependencies: ["Loyalty", "Search", "ShopMarkets", "ShopMocks"]
                + glass(
                    "GlassContainer", "GlassContainerTesting", "GlassDeepLinking", "GlassMarketFiles", "GlassMarkets",
                    "GlassPlatform", "GlassPlatformMocks", "GlassSchema", "LuaBridge"),
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
