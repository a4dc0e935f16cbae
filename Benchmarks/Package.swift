// swift-tools-version: 6.3

import PackageDescription

/// Each suite is an executable of its own, as the benchmark package wants it; `report` compares what they measured.
let suites = ["Container", "Flags", "Links", "Lua", "Situations"]

let package = Package(
    name: "glass-host-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without its trait for jemalloc, which would have to be installed and counts nothing that is shown here.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
        .package(name: "glass-host", path: ".."),
    ],
    targets: [
        .target(
            name: "Support", dependencies: [.product(name: "Benchmark", package: "benchmark")], path: "Support"),
        .executableTarget(name: "report", path: "Report"),
        .systemLibrary(
            name: "CLuaFloor", path: "Floors/CLuaFloor", pkgConfig: "lua5.4",
            providers: [.apt(["liblua5.4-dev"]), .brew(["lua@5.4"])]),
        .target(name: "CAllocations", path: "Floors/CAllocations"),
        .executableTarget(
            name: "probe",
            dependencies: [
                "CAllocations", .product(name: "GlassContainer", package: "glass-host"),
                .product(name: "GlassDeepLinking", package: "glass-host"),
                .product(name: "GlassMarkets", package: "glass-host"),
                .product(name: "GlassPlatform", package: "glass-host"),
            ],
            path: "Probe"),
        .executableTarget(
            name: "cold",
            dependencies: [
                .product(name: "GlassContainer", package: "glass-host"),
                .product(name: "GlassDeepLinking", package: "glass-host"),
                .product(name: "GlassDelivery", package: "glass-host"),
                .product(name: "GlassMarkets", package: "glass-host"),
                .product(name: "GlassPlatform", package: "glass-host"),
            ],
            path: "Cold",
            // What the system loads before `main` does not count. Apple's systems bind every function there, and so does
            // this; by default glibc would find each by name at its first call.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"], .when(platforms: [.linux]))]),
        .target(name: "CFloor", dependencies: ["CLuaFloor"], path: "Floors/CFloor"),
    ]
        + suites.map { suite in
            .executableTarget(
                name: suite,
                dependencies: [
                    "Support", "CFloor", .product(name: "Benchmark", package: "benchmark"),
                    .product(name: "GlassContainer", package: "glass-host"),
                    .product(name: "GlassDeepLinking", package: "glass-host"),
                    .product(name: "GlassMarketFiles", package: "glass-host"),
                    .product(name: "GlassMarkets", package: "glass-host"),
                    .product(name: "LuaBridge", package: "glass-host"),
                ]
                    + (["Flags", "Situations"].contains(suite)
                        ? [
                            .product(name: "GlassPlatform", package: "glass-host"),
                            .product(name: "GlassSchema", package: "glass-host"),
                        ] : []),
                path: "Benchmarks/\(suite)", exclude: suite == "Links" ? ["README.md", "github_api_routes.tsv"] : [],
                plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
        },
    swiftLanguageModes: [.v6]
)
