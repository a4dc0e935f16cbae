import CommandTesting
import Foundation
import Testing

/// Runs every command in the guides and compares its output.
@Suite(.timeLimit(.minutes(5)))
struct GuideTests {
    @Test(arguments: [
        ("AddingAKey", 3), ("AddingAMarket", 21), ("AddingARoutable", 10), ("BlackFriday", 5),
        ("CheckingMarketsInABuild", 1),
        ("ContinuousIntegration", 18),
        ("FirstMarket", 11), ("FlagRollout", 3), ("ImportingAMarket", 4), ("LargeCorpora", 2), ("MarketsInAnIOSApp", 3),
        ("MigratingFromSwift", 5), ("MovingFlags", 9), ("Policies", 15),
        ("ReviewingChanges", 3), ("TestingMarkets", 3), ("TwoLanguages", 2), ("VaryingByBuild", 3),
    ])
    func everyGuideCommandPrintsDocumentedOutput(guide: String, commands: Int) throws {
        let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/\(guide).md")
        #expect(try page.run() == commands)
    }

    @Test func everySwiftExampleIsRunByATest() throws {
        let folder = CommandRun.repository.appending(path: "Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides")
        let tests = try [
            "GlassMarketFilesTests/GuideExampleTests", "GlassMarketFilesTests/LargeAppGuideTests",
            "GlassMarketFilesTests/PhoneGuideTests",
            "GlassHostTests/Commands/HostGuideExample", "GlassConfigurationTests/ConfigurationGuideTests",
            "GlassPlatformTests/Flags/OpenFeatureGuideTests", "GlassDeliveryHostTests/ShopDelivery",
            "Outside/Sources/AppModule/AppModule", "Outside/Sources/AppMarkets/AppMarkets",
            "Outside/Sources/app-host/AppHost",
        ].map { try String(contentsOf: CommandRun.repository.appending(path: "Tests/\($0).swift"), encoding: .utf8) }
        let lines = Set(
            tests.flatMap { $0.split(separator: "\n") }.map { $0.trimmingCharacters(in: .whitespaces) })
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".md") {
            let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/\(name)")
            // Tests/Guides compiles manifests and views, which no test can run.
            let examples = page.blocks(of: "swift").filter {
                !$0.contains("import PackageDescription") && !$0.contains("import SwiftUI")
            }
            for line in examples.flatMap({ $0.split(separator: "\n") }) {
                let code = line.trimmingCharacters(in: .whitespaces)
                // A test is not a separate program.
                guard code != "@main", !code.hasPrefix("import "), !code.hasPrefix("@preconcurrency import ") else {
                    continue
                }
                #expect(code.hasPrefix("//") || lines.contains(code), "\(name): \(code)")
            }
        }
    }

    @Test func packagesInGuideNameRealProducts() throws {
        let page = try DocumentedCommands("Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/Embedding.md")
        let package = try String(
            contentsOf: CommandRun.repository.appending(path: "Package.swift"), encoding: .utf8)
        let manifests = page.blocks(of: "swift").filter { $0.hasPrefix("// swift-tools-version: ") }
        #expect(manifests.count == 2)
        for manifest in manifests {
            #expect(manifest.prefix { $0 != "\n" } == package.prefix { $0 != "\n" })
            let products = manifest.matches(of: /\.product\(name: "([A-Za-z]+)"/).map(\.1)
            #expect(
                products == [
                    "GlassContainer", "GlassDeepLinking", "GlassMarketFiles", "GlassMarkets", "GlassPlatform",
                    "GlassPlatformMocks",
                ])
            for product in products { #expect(package.contains(".library(name: \"\(product)\"")) }
        }
    }

    @Test func workflowRunsCommandsFromGuide() throws {
        let page = try DocumentedCommands(
            "Sources/GlassMarketFiles/GlassMarketFiles.docc/Guides/ContinuousIntegration.md")
        let shown = page.blocks(of: "console").joined(separator: "\n").split(separator: "\n")
        let workflow = try #require(page.blocks(of: "yaml").first)
        let steps = workflow.components(separatedBy: "\n").compactMap { line -> String? in
            line.firstRange(of: "- run: ").map { String(line[$0.upperBound...]) }
        }
        #expect(steps.count == 3)
        for step in steps {
            let command = step.components(separatedBy: " >> ")[0]
            #expect(shown.contains { $0.hasPrefix("$ \(command)") }, "\(command)")
        }
    }

    /// A link to another target's documentation, or to a type that no longer exists, does not resolve.
    @Test func symbolLinksNameTypesOfTheirTarget() throws {
        let sources = CommandRun.repository.appending(path: "Sources")
        var catalogs = 0
        for target in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
            let files =
                FileManager.default.enumerator(atPath: sources.appending(path: target).path)?
                .compactMap { $0 as? String } ?? []
            let pages = files.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
            catalogs += pages.isEmpty ? 0 : 1
            func text(_ file: String) throws -> String {
                try String(contentsOf: sources.appending(path: "\(target)/\(file)"), encoding: .utf8)
            }
            let code = try files.filter { $0.hasSuffix(".swift") }.map(text).joined(separator: "\n")
            let declaration = /(?:public|open) [a-z ]*(?:class|struct|enum|protocol|typealias|actor|func) (\w+)/
            let types = Set(code.matches(of: declaration).map { String($0.1) } + [target])
            for page in pages {
                for link in try text(page).matches(of: /``(\w+)[^`\n]*``/) {
                    #expect(types.contains(String(link.1)), "\(target)/\(page): \(link.0)")
                }
            }
            // Documentation comments may refer to internal declarations, and to members of their own type, which start
            // with a lowercase letter.
            let declared = Set(code.matches(of: /(?:class|struct|enum|protocol|typealias|actor) (\w+)/).map { $0.1 })
            for line in code.split(separator: "\n") where line.contains("///") {
                for link in line.matches(of: /``([A-Z]\w*)[^`]*``/) {
                    #expect(declared.contains(link.1), "\(target): \(link.0)")
                }
            }
        }
        #expect(catalogs >= 9)
    }

    @Test func comparisonCanFail() {
        #expect(DocumentedCommands.matches("a 12 ms\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a 12 s\nb\nc\n", "a … ms\n…\nc\n"))
        #expect(!DocumentedCommands.matches("a\nb\n", "a\n"))
    }
}
