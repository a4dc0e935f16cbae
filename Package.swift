// swift-tools-version: 6.3

import PackageDescription

/// What every Swift target is compiled with; each feature is the default of a later language mode.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
]

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")

/// A product of swift-configuration, for those who enable the trait.
func configuration(_ product: String) -> Target.Dependency {
    .product(name: product, package: "swift-configuration", condition: .when(traits: ["SwiftConfiguration"]))
}

// Foundation's URL sessions are built on libcurl on Linux, and the transfers use it directly there.
#if os(Linux)
    let curl: [Target] = [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])])
    ]
#else
    let curl: [Target] = []
#endif

// Apple's App Store reads a privacy manifest from the bundle of the target. Elsewhere a bundle would only put a folder beside
// each program, and Foundation into targets that do without it.
#if canImport(Darwin)
    let privacyManifest: (resources: [Resource], exclude: [String]) = ([.copy("PrivacyInfo.xcprivacy")], [])
#else
    let privacyManifest: (resources: [Resource], exclude: [String]) = ([], ["PrivacyInfo.xcprivacy"])
#endif

/// What the snippets of the seeds are compiled with: plain Swift 6, since they write `Factory<P>` for a protocol `P`. Where
/// there is no SwiftUI, a stub stands in for it.
let snippetSettings: [SwiftSetting] = [.define("SWIFTUI_STUB", .when(platforms: [.linux]))]

/// The modules that the seeds describe, with what they import.
let snippetModules: [(name: String, dependencies: [Target.Dependency])] = [
    ("Adaptor", ["GlassContainer", "ThirdPartyAnalytics"]),
    ("IndependentModuleP", []),
    ("ModuleA", ["GlassContainer", "ModuleP"]),
    ("ModuleB", ["ModuleP"]),
    ("ModuleP", ["GlassContainer"]),
    ("Networking", ["GlassContainer"]),
    ("PluginAPIs", []),
    ("PluginAPIsMocks", ["GlassContainer", "GlassPlatform", "PluginAPIs"]),
    ("SampleServices", []),
    ("Services", ["GlassContainer", "IndependentModuleP"]),
    ("ThirdPartyAnalytics", []),
    ("WalmartPlatform", ["GlassContainer", "GlassDeepLinking", "GlassPlatform"]),
]

/// The sections of the seeds: each is a module of its own, because they give one name to different things.
let snippetSections: [(name: String, modules: [Target.Dependency])] = [
    ("Seed000Dependencies", ["GlassDeepLinking", "GlassMarkets", "GlassPlatform", "WalmartPlatform"]),
    ("Seed000Configuration", ["GlassDeepLinking", "GlassPlatform", "WalmartPlatform"]),
    ("Seed001ContainerExamples", []),
    ("Seed001AppContainer", []),
    ("Seed001MockContainer", ["PluginAPIs"]),
    ("Seed001LazyInitialization", []),
    ("Seed002VariantA", ["GlassDeepLinking"]),
    ("Seed002VariantB", ["GlassDeepLinking"]),
    ("Seed002Injected", ["GlassDeepLinking"]),
    ("Seed003SameModule", ["Networking"]),
    ("Seed003DifferentModule", ["ModuleP"]),
    ("Seed003Optionals", ["ModuleB", "ModuleP", "SwiftUIStub"]),
    ("Seed003UnwrappedOptionals", ["ModuleB", "ModuleP", "SwiftUIStub"]),
    ("Seed003FatalErrorPromise", ["IndependentModuleP"]),
    ("Seed003Promises", ["IndependentModuleP"]),
    ("Seed003SeparatingDependencies", ["IndependentModuleP", "Services"]),
    ("Seed003Adaptors", ["Adaptor", "ThirdPartyAnalytics"]),
    ("Seed004ContainersAndFactories", ["SampleServices"]),
    ("Seed004Resolving", ["SampleServices"]),
    ("Seed004DefaultContainer", ["SampleServices"]),
    ("Seed004ContainerShared", ["SampleServices"]),
    ("Seed004PassingContainers", ["SampleServices"]),
    ("Seed004SharedContainer", ["SampleServices"]),
    ("Seed004CustomContainers", ["SampleServices"]),
    ("Seed004OtherContainers", []),
    ("Seed004PropertyWrappers", ["SampleServices", "SwiftUIStub"]),
    ("Seed004RegistrationAndScopes", ["SampleServices"]),
    ("Seed004AutoRegister", ["ModuleB", "ModuleP"]),
    ("Seed004Resetting", ["SampleServices"]),
    ("Seed004PushingAndPopping", ["SampleServices"]),
    ("Seed004Releasing", ["SampleServices"]),
]

/// The snippets of the seeds, which see what is public. All are test targets, so that only a build of tests compiles them.
let snippets: [Target] =
    snippetModules.map { module in
        .testTarget(
            name: module.name, dependencies: module.dependencies, path: "Tests/SeedSnippets/Modules/\(module.name)",
            packageAccess: false, swiftSettings: snippetSettings)
    }
    + snippetSections.map { section in
        .testTarget(
            name: section.name, dependencies: ["GlassContainer", "GlassContainerTesting"] + section.modules,
            path: "Tests/SeedSnippets/Sections/\(section.name)", packageAccess: false, swiftSettings: snippetSettings)
    }
    + [
        // Seed003WiringTogether and Seed004AutoRegisterDefault are programs that Tests/SeedSnippets/run compiles.
        .testTarget(
            name: "SectionTests", path: "Tests/SeedSnippets/SectionTests", packageAccess: false,
            swiftSettings: settings),
        // The migration guide's table of the names that seeds 000 to 002 print.
        .testTarget(
            name: "SeedNamesTests",
            dependencies: [
                "GlassContainer", "GlassContainerTesting", "GlassDeepLinking", "GlassPlatform", "GlassPlatformMocks",
                "PluginAPIs", "PluginAPIsMocks",
            ],
            path: "Tests/SeedSnippets/SeedNamesTests", packageAccess: false, swiftSettings: snippetSettings),
        .testTarget(
            name: "SwiftUIStub", path: "Tests/SeedSnippets/SwiftUIStub", packageAccess: false, swiftSettings: settings),
        // The migration guide's claim: code for Factory compiles as it stands, with two flags.
        .testTarget(
            name: "FactoryAliasTests", dependencies: ["GlassContainer", "GlassContainerTesting"],
            path: "Tests/SeedSnippets/FactoryAliasTests", packageAccess: false,
            swiftSettings: [
                .unsafeFlags([
                    "-module-alias", "FactoryKit=GlassContainer",
                    "-module-alias", "FactoryTesting=GlassContainerTesting",
                ])
            ]),
    ]

/// The modules of an app team and their tests, which see what is public. Tests/ShopApp/run compiles the team's programs.
let shop: [Target] = [
    // Two feature packages; in a real app each would have a repository of its own.
    .target(
        name: "Loyalty",
        dependencies: ["GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassPlatform", "GlassSchema"],
        path: "Tests/ShopApp/Sources/Loyalty", packageAccess: false, swiftSettings: settings),
    .target(
        name: "Search", dependencies: ["GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassSchema"],
        path: "Tests/ShopApp/Sources/Search", packageAccess: false, swiftSettings: settings),
    .target(
        name: "ShopMarkets",
        dependencies: [
            "Loyalty", "Search", "GlassContainer", "GlassDeepLinking", "GlassMarkets", "GlassPlatform", "GlassSchema",
        ],
        path: "Tests/ShopApp/Sources/ShopMarkets", packageAccess: false, swiftSettings: settings),
    .target(
        name: "ShopMocks",
        dependencies: ["Loyalty", "Search", "GlassContainer", "GlassMarkets", "GlassPlatformMocks"],
        path: "Tests/ShopApp/Sources/ShopMocks", packageAccess: false, swiftSettings: settings),
    .testTarget(
        name: "ShopTests",
        dependencies: [
            "Loyalty", "Search", "ShopMarkets", "ShopMocks", "GlassContainer", "GlassContainerTesting",
            "GlassDeepLinking", "GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks",
            "GlassSchema", "LuaBridge",
        ],
        path: "Tests/ShopApp/Tests/ShopTests", packageAccess: false, swiftSettings: settings),
]

let package = Package(
    name: "glass-host",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "LuaBridge", targets: ["LuaBridge"]),
        .library(name: "GlassSchema", targets: ["GlassSchema"]),
        .library(name: "GlassContainer", targets: ["GlassContainer"]),
        .library(name: "GlassContainerTesting", targets: ["GlassContainerTesting"]),
        .library(name: "GlassDeepLinking", targets: ["GlassDeepLinking"]),
        .library(name: "GlassFlags", targets: ["GlassFlags"]),
        .library(name: "GlassPlatform", targets: ["GlassPlatform"]),
        .library(name: "GlassPlatformMocks", targets: ["GlassPlatformMocks"]),
        .library(name: "GlassMarkets", targets: ["GlassMarkets"]),
        .library(name: "GlassMarketFiles", targets: ["GlassMarketFiles"]),
        .library(name: "GlassHost", targets: ["GlassHost"]),
        .executable(name: "glass-host", targets: ["glass-host"]),
        .library(name: "GlassDelivery", targets: ["GlassDelivery"]),
        .library(name: "GlassDeliveryHost", targets: ["GlassDeliveryHost"]),
        .executable(name: "glass-delivery", targets: ["glass-delivery"]),
        .library(name: "GlassConfiguration", targets: ["GlassConfiguration"]),
    ],
    traits: [
        .trait(
            name: "SwiftConfiguration",
            description: "Adds GlassConfiguration, a provider of markets for swift-configuration.")
    ],
    dependencies: [
        // Only cloned with the trait; without its default trait JSON.
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.0"),
    ],
    targets: curl + shop + snippets + [
        .systemLibrary(
            name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        .systemLibrary(name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"]), .brew(["libedit"])]),
        // Functions of the system that Swift cannot call by itself; headers only.
        // Not "CSystem": swift-system has a target with that name, and SwiftPM refuses two of a name in one graph.
        .systemLibrary(name: "CGlassSystem"),
        // The tokens of Lua, without Lua.
        .target(name: "CLuaTokens"),
        .target(name: "CLuaShims", dependencies: ["CLua", "CLuaTokens"]),
        // What every library needs and none of them is about; no product.
        .target(
            name: "GlassBase", dependencies: ["CGlassSystem"], exclude: privacyManifest.exclude,
            resources: privacyManifest.resources, swiftSettings: settings),
        // One HTTP transfer for the platform, the delivery and the command line; no product.
        .target(
            name: "GlassTransfer", dependencies: ["GlassBase"] + curl.map { .target(name: $0.name) },
            swiftSettings: settings),
        // The syntax of Lua texts, without Lua; no product.
        .target(name: "LuaSyntax", dependencies: ["CLuaTokens", "GlassBase"], swiftSettings: settings),
        .target(
            name: "LuaBridge", dependencies: ["CLuaShims", "CLuaTokens", "GlassBase"], swiftSettings: settings),
        .target(name: "GlassSchema", dependencies: ["GlassBase"], swiftSettings: settings),
        // A variable that each thread has its own of, which Swift cannot declare.
        .target(name: "CThreadHead"),
        .target(name: "GlassContainer", dependencies: ["CThreadHead", "GlassBase"], swiftSettings: settings),
        .target(name: "GlassContainerTesting", dependencies: ["GlassContainer"], swiftSettings: settings),
        .target(
            name: "GlassDeepLinking", dependencies: ["GlassContainer", "GlassSchema", "GlassBase"],
            swiftSettings: settings),
        // Markets and their modules, whatever they are read from: no Lua, no platform.
        .target(
            name: "GlassMarkets", dependencies: ["GlassDeepLinking", "GlassContainer", "GlassSchema", "GlassBase"],
            swiftSettings: settings),
        // What a feature package imports to read a flag: neither a database nor the network.
        .target(
            name: "GlassFlags", dependencies: ["GlassMarkets", "GlassSchema", "GlassBase"], swiftSettings: settings),
        .target(
            name: "GlassPlatform",
            dependencies: [
                "GlassFlags", "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema", "GlassTransfer",
                "GlassBase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: privacyManifest.exclude, resources: privacyManifest.resources, swiftSettings: settings),
        .target(
            name: "GlassPlatformMocks",
            dependencies: [
                "GlassFlags", "GlassPlatform", "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema",
                "GlassBase",
            ],
            swiftSettings: settings),
        // Markets from Lua files, scripts, and what editors are given; no platform.
        .target(
            name: "GlassMarketFiles",
            dependencies: [
                "LuaBridge", "LuaSyntax", "GlassMarkets", "GlassSchema", "GlassContainer", "GlassDeepLinking",
                "GlassBase", "CGlassSystem",
            ],
            swiftSettings: settings),
        // The files that tell systems which links an app opens: no Lua, no Foundation; no product.
        .target(
            name: "GlassSites", dependencies: ["GlassDeepLinking", "GlassSchema", "GlassBase"], swiftSettings: settings),
        // Tools for those who write markets: rules, fixes, reviews of changes, and a language server; no product.
        .target(
            name: "GlassAuthoring",
            dependencies: [
                "GlassSites", "GlassMarketFiles", "GlassMarkets", "GlassSchema", "GlassDeepLinking", "LuaBridge",
                "LuaSyntax",
                "GlassBase", "CGlassSystem",
            ],
            swiftSettings: settings),
        // A page about markets for the browser, and pictures of their services; no product.
        .target(
            name: "GlassInspector", dependencies: ["GlassBase"], resources: [.embedInCode("Page")],
            swiftSettings: settings),
        // The commands, for `glass-host` and for the command line of an app's own.
        .target(
            name: "GlassHost",
            dependencies: [
                "GlassAuthoring", "GlassInspector", "GlassMarketFiles", "GlassMarkets", "GlassSites",
                "GlassPlatformMocks", "GlassPlatform", "GlassTransfer", "GlassDeepLinking",
                "GlassContainer", "GlassSchema", "GlassBase", "LuaBridge", "CEdit",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "glass-host",
            dependencies: ["GlassHost", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks"],
            swiftSettings: settings),
        // Signed markets over HTTP, for an app: no Lua, no platform.
        .target(
            name: "GlassDelivery",
            dependencies: [
                "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema", "GlassTransfer", "GlassBase",
                crypto,
            ],
            exclude: privacyManifest.exclude, resources: privacyManifest.resources, swiftSettings: settings),
        // The commands that publish, fetch and look after delivered markets.
        .target(
            name: "GlassDeliveryHost",
            dependencies: [
                "GlassAuthoring", "GlassDelivery", "GlassHost", "GlassMarketFiles", "GlassMarkets", "GlassSchema",
                "GlassTransfer",
                "GlassBase", crypto,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "glass-delivery",
            dependencies: ["GlassDeliveryHost", "GlassHost", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks"],
            swiftSettings: settings),
        // Markets for code that reads its configuration through swift-configuration; empty without the trait.
        .target(
            name: "GlassConfiguration",
            dependencies: ["GlassMarkets", "GlassSchema", "GlassBase", configuration("Configuration")],
            swiftSettings: settings),
        // What tests of several targets share.
        .target(name: "TestSupport", dependencies: ["GlassBase"], path: "Tests/Support", swiftSettings: settings),
        // Commands that tests run in their own process.
        // Changes of every key of a section, for the tests of what depends on which keys.
        .target(
            name: "SchemaTesting", dependencies: ["GlassSchema"], path: "Tests/SchemaTesting", swiftSettings: settings),
        // Folders of markets that extend those of the repository.
        .target(
            name: "MarketTesting",
            dependencies: [
                "GlassAuthoring", "GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassSchema", "LuaBridge",
            ],
            path: "Tests/MarketTesting", swiftSettings: settings),
        .systemLibrary(name: "CThreadFolder", path: "Tests/ThreadFolder"),
        .target(
            name: "CommandTesting", dependencies: ["CThreadFolder", "GlassHost", "GlassBase", "TestSupport"],
            path: "Tests/CommandTesting", swiftSettings: settings),
        // The differential tests compare with the system's library itself, which only tests may.
        .testTarget(
            name: "LuaBridgeTests", dependencies: ["CLua", "LuaBridge", "GlassBase", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "LuaSyntaxTests", dependencies: ["CLua", "CLuaTokens", "LuaSyntax", "GlassBase", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GlassTransferTests", dependencies: ["GlassTransfer", "GlassBase", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "GlassBaseTests", dependencies: ["GlassBase", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "GlassSchemaTests", dependencies: ["GlassSchema", "GlassBase"], exclude: ["Fixtures"],
            swiftSettings: settings),
        .testTarget(
            name: "GlassContainerTests", dependencies: ["GlassContainer", "GlassBase", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "GlassContainerTestingTests", dependencies: ["GlassContainerTesting", "GlassContainer"],
            swiftSettings: settings),
        // A module that belongs to the main actor, as those of new apps do.
        .testTarget(
            name: "GlassContainerMainActorTests", dependencies: ["GlassContainerTesting", "GlassContainer"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "GlassContainerGuideTests", dependencies: ["GlassContainerTesting", "GlassContainer"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "GlassDeepLinkingTests",
            dependencies: ["GlassDeepLinking", "GlassContainer", "GlassSchema", "GlassBase", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        // As above.
        .testTarget(
            name: "GlassDeepLinkingMainActorTests", dependencies: ["GlassDeepLinking", "GlassContainer"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]),
        .testTarget(
            name: "GlassMarketsTests",
            dependencies: [
                "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema", "GlassBase", "TestSupport",
            ],
            swiftSettings: settings),
        // A process for the storage's tests to kill.
        .executableTarget(
            name: "storage-writer", dependencies: ["GlassContainer", "GlassPlatform", "GlassSchema"],
            path: "Tests/StorageWriter", swiftSettings: settings),
        // A program that reads compiled markets, for the tests that look into it.
        .executableTarget(
            name: "market-reader",
            dependencies: ["GlassFlags", "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema"],
            path: "Tests/MarketReader", swiftSettings: settings),
        // The servers of a market, for scripts/live and scripts/soak.
        .executableTarget(
            name: "loopback-server",
            dependencies: [
                "GlassDeepLinking", "GlassBase", "TestSupport", .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            path: "Tests/Loopback", exclude: ["markets"], swiftSettings: settings),
        .executableTarget(
            name: "soak",
            dependencies: [
                "GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassContainer", "GlassDeepLinking",
                "GlassSchema", "GlassBase",
            ],
            path: "Tests/Soak", swiftSettings: settings),
        .testTarget(
            name: "GlassPlatformTests",
            dependencies: [
                "storage-writer", "TestSupport",
                "GlassPlatform", "GlassPlatformMocks", "GlassContainer", "GlassContainerTesting", "GlassDeepLinking",
                "GlassMarkets", "GlassSchema", "GlassTransfer", "GlassBase",
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GlassMarketFilesTests",
            dependencies: [
                "GlassAuthoring", "GlassMarketFiles", "GlassMarkets", "LuaBridge", "GlassSchema", "GlassPlatform",
                "GlassPlatformMocks", "GlassContainer", "GlassDeepLinking", "GlassBase", "MarketTesting",
                "SchemaTesting", "ShopMarkets", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GlassAuthoringTests",
            dependencies: [
                "GlassAuthoring", "GlassSites", "GlassMarketFiles", "GlassMarkets", "GlassPlatform",
                "GlassPlatformMocks", "GlassContainer", "GlassDeepLinking", "GlassSchema", "LuaBridge", "LuaSyntax",
                "GlassBase",
                "MarketTesting", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GlassSitesTests",
            dependencies: ["GlassSites", "GlassDeepLinking", "GlassSchema", "GlassBase", "TestSupport"],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "GlassInspectorTests",
            dependencies: [
                "GlassInspector", "GlassBase", "TestSupport", .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GlassHostTests",
            dependencies: [
                "CommandTesting", "GlassAuthoring", "GlassHost", "GlassInspector", "glass-host", "market-reader",
                "soak",
                "GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassPlatformMocks", "GlassContainer",
                "GlassDeepLinking", "GlassSchema", "GlassBase", "SchemaTesting", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "GlassConfigurationTests",
            dependencies: [
                "GlassConfiguration", "GlassMarkets", "GlassSchema", "GlassBase", configuration("ConfigurationTesting"),
            ],
            swiftSettings: settings),
        // A client for suites that test clients of The Update Framework; no product.
        .executableTarget(
            name: "glass-tuf-client", dependencies: ["GlassDelivery", "GlassBase"], path: "Tests/TUFClient",
            exclude: ["run", "client_test.py", "differential.py", "repository.py"], swiftSettings: settings),
        // A phone for scripts/delivery: an app without Lua and without the platform, one start for each process.
        .executableTarget(
            name: "delivery-client", dependencies: ["GlassDelivery", "GlassMarkets", "GlassDeepLinking"],
            path: "Tests/DeliveryClient", swiftSettings: settings),
        // What the delivery's tests and the process that they kill share.
        .target(
            name: "DeliverySupport",
            dependencies: [
                "GlassDelivery", "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema", "GlassBase",
                crypto,
            ],
            path: "Tests/DeliverySupport", swiftSettings: settings),
        // A process for the tests of the delivery's store to kill.
        .executableTarget(
            name: "delivery-writer", dependencies: ["DeliverySupport", "GlassDelivery", "GlassBase"],
            path: "Tests/DeliveryWriter", swiftSettings: settings),
        .testTarget(
            name: "GlassDeliveryTests",
            dependencies: [
                "DeliverySupport", "delivery-writer",
                "GlassDelivery", "GlassMarkets", "GlassContainer", "GlassDeepLinking", "GlassSchema", "GlassTransfer",
                "GlassBase", "TestSupport", crypto,
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "FlyingSocks", package: "FlyingFox"),
            ],
            exclude: ["Fixtures"], swiftSettings: settings),
        .testTarget(
            name: "GlassDeliveryHostTests",
            dependencies: [
                "CommandTesting", "DeliverySupport", "GlassDeliveryHost", "glass-delivery", "GlassDelivery",
                "GlassHost", "GlassMarkets", "GlassPlatform", "GlassSchema", "GlassBase", "TestSupport", crypto,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // What libFuzzer drives: scripts/fuzz builds these with its own `main`, everything else with a `main` that runs the files
        // it is given.
        .executableTarget(
            name: "fuzz-loads",
            dependencies: [
                "GlassMarketFiles", "GlassMarkets", "GlassPlatform", "GlassDeepLinking", "GlassSchema", "LuaBridge",
                "TestSupport",
            ],
            path: "Tests/Fuzz/Loads", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-metadata", dependencies: ["GlassDelivery", "GlassBase", "TestSupport"],
            path: "Tests/Fuzz/Metadata", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-association", dependencies: ["GlassSites", "GlassDeepLinking", "GlassBase", "TestSupport"],
            path: "Tests/Fuzz/Association", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-http", dependencies: ["GlassInspector", "TestSupport"], path: "Tests/Fuzz/HTTP",
            swiftSettings: settings),
        .executableTarget(
            name: "fuzz-files", dependencies: ["GlassAuthoring", "GlassMarketFiles", "TestSupport"],
            path: "Tests/Fuzz/Files", swiftSettings: settings),
        .executableTarget(
            name: "fuzz-framing", dependencies: ["GlassAuthoring", "TestSupport"],
            path: "Tests/Fuzz/Framing", swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
