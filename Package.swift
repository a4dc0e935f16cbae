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

let package = Package(
    name: "glass-host",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "GlassSchema", targets: ["GlassSchema"]),
    ],
    targets: [
        .target(name: "GlassSchema", swiftSettings: settings),
        .testTarget(name: "GlassSchemaTests", dependencies: ["GlassSchema"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
