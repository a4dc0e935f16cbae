// swift-tools-version: 6.3

import PackageDescription

/// What the code around the snippets is compiled with, beyond the Swift 6 language mode.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("ImmutableWeakCaptures"),  // SE-0481
]

/// What the snippets are compiled with: plain Swift 6, since they write `Factory<P>` for a protocol `P`. Where there is
/// no SwiftUI, a stub stands in for it.
let snippetSettings: [SwiftSetting] = [.define("SWIFTUI_STUB", .when(platforms: [.linux]))]

let container = product("GlassContainer")
let links = product("GlassDeepLinking")
let markets = product("GlassMarkets")
let platform = product("GlassPlatform")

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "glass-host") }

/// The modules that sections describe, with what they import.
let modules: [(name: String, dependencies: [Target.Dependency])] = [
    ("Adaptor", [container, "ThirdPartyAnalytics"]),
    ("IndependentModuleP", []),
    ("ModuleA", [container, "ModuleP"]),
    ("ModuleB", ["ModuleP"]),
    ("ModuleP", [container]),
    ("Networking", [container]),
    ("PluginAPIs", []),
    ("SampleServices", []),
    ("Services", [container, "IndependentModuleP"]),
    ("ThirdPartyAnalytics", []),
    ("WalmartPlatform", [container, links, platform]),
]

/// The sections: each is an executable, because a conformance such as `Container: AutoRegistering` holds for a process.
let sections: [(name: String, modules: [Target.Dependency])] = [
    ("Seed000Dependencies", [links, markets, platform, "WalmartPlatform"]),
    ("Seed000Configuration", [links, platform, "WalmartPlatform"]),
    ("Seed001ContainerExamples", []),
    ("Seed001AppContainer", []),
    ("Seed001MockContainer", ["PluginAPIs"]),
    ("Seed001LazyInitialization", []),
    ("Seed002VariantA", [links]),
    ("Seed002VariantB", [links]),
    ("Seed002Injected", [links]),
    ("Seed003SameModule", ["Networking"]),
    ("Seed003DifferentModule", ["ModuleP"]),
    ("Seed003WiringTogether", ["ModuleA", "ModuleB", "ModuleP"]),
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
    ("Seed004AutoRegisterDefault", ["ModuleB", "ModuleP"]),
    ("Seed004Resetting", ["SampleServices"]),
    ("Seed004PushingAndPopping", ["SampleServices"]),
    ("Seed004Releasing", ["SampleServices"]),
]

let package = Package(
    name: "seed-snippets",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "glass-host", path: "../..")],
    targets: [
        .target(name: "Claims", path: "Sources/Support/Claims", swiftSettings: settings),
        .target(name: "SwiftUIStub", path: "Sources/Support/SwiftUIStub", swiftSettings: settings),
        .testTarget(name: "SectionTests", swiftSettings: settings),
        // The migration guide's claim: code for Factory compiles as it stands, with two flags.
        .testTarget(
            name: "FactoryAliasTests",
            dependencies: [container, .product(name: "GlassContainerTesting", package: "glass-host")],
            swiftSettings: [
                .unsafeFlags([
                    "-module-alias", "FactoryKit=GlassContainer",
                    "-module-alias", "FactoryTesting=GlassContainerTesting",
                ])
            ]),
    ]
        + modules.map { module in
            .target(
                name: module.name, dependencies: module.dependencies, path: "Sources/Modules/\(module.name)",
                swiftSettings: snippetSettings)
        }
        + sections.map { section in
            .executableTarget(
                name: section.name, dependencies: ["Claims", container] + section.modules,
                path: "Sources/Sections/\(section.name)", swiftSettings: snippetSettings)
        },
    swiftLanguageModes: [.v6]
)
