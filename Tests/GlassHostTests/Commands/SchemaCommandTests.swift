import CommandTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SchemaCommandTests {
    @Test func committedReferenceIsUpToDate() throws {
        let run = try HostRun(["schema", "markdown"])
        let page = "Sources/GlassMarketFiles/GlassMarketFiles.docc/ConfigurationReference.md"
        let committed = try String(contentsOf: CommandRun.repository.appending(path: page), encoding: .utf8)
        #expect(run.output == committed, "renew it: scripts/glass-host schema markdown > \(page)")
        #expect(run.status == 0)
    }

    @Test(arguments: [("stubs", "stubs.lua"), ("json-schema", "json-schema.json")])
    func committedTextsAreUpToDate(kind: String, name: String) throws {
        let run = try HostRun(["schema", kind])
        let file = "Tests/Goldens/\(name)"
        let committed = try String(contentsOf: CommandRun.repository.appending(path: file), encoding: .utf8)
        #expect(
            run.output == committed, "if the difference is meant, renew it: scripts/glass-host schema \(kind) > \(file)"
        )
        #expect(run.status == 0)
    }

    @Test func stubsArePrintedPlainOrAsJSON() throws {
        let text = try HostRun(["schema", "stubs"])
        #expect(text.output.hasPrefix("---@meta\n"))
        let json = try HostRun(["schema", "stubs", "--format", "json"]).json()
        #expect(json["stubs"] as? String == text.output)
        #expect(json["schema"] as? Int == 1)
    }

    @Test func jsonSchemaIsValid() throws {
        let schema = try HostRun(["schema", "json-schema"]).json()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect((schema["properties"] as? [String: Any])?["currency"] != nil)
    }

    /// The schema of a rule refers to those of its shares.
    @Test func jsonSchemaHasTablesOfShares() throws {
        let schema = try HostRun(["schema", "json-schema"]).json()
        var value: Any? = schema
        for key in ["properties", "flags", "additionalProperties", "properties", "rules", "items", "properties"] {
            value = (value as? [String: Any])?[key]
        }
        let rule = try #require(value as? [String: [String: Any]])
        #expect(rule["rollout"]?["$ref"] as? String == "#/$defs/rollout")
        #expect(rule["split"]?["$ref"] as? String == "#/$defs/split")
        let definitions = try #require(schema["$defs"] as? [String: [String: Any]])
        #expect(definitions["rollout"]?["required"] as? [String] == ["percent", "by"])
        #expect(definitions["split"]?["required"] as? [String] == ["weights", "by"])
    }

    @Test func graphHasEveryServiceInEachNotation() throws {
        let dot = try HostRun(["graph"])
        #expect(dot.output.hasPrefix("digraph services {\n") && dot.output.contains("UserAgentProviding"))
        let mermaid = try HostRun(["graph", "--as", "mermaid", "-m", "ca"])
        #expect(mermaid.output.hasPrefix("graph TD\n"))
        let json = try HostRun(["graph", "--format", "json"]).json()
        let services = try HostRun(["services", "--format", "json"]).json()
        // The inputs of services are nodes as well.
        let settings = [
            "DeepLinkConfiguration", "MarketDefinition", "MarketFlags", "MarketInstance", "PlatformConfig",
            "PlatformHost",
        ]
        #expect((json["nodes"] as? [Any])?.count == ((services["services"] as? [Any])?.count ?? 0) + settings.count)
        #expect(settings.allSatisfy { dot.output.contains($0) })
        #expect(json["schema"] as? Int == 1)
    }

    @Test func diagramHasEveryServiceWithoutMarket() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let picture = try HostRun(["graph", "--as", "svg", "--markets", markets.path])
        #expect(picture.status == 0 && picture.output.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" "))
        let services = try HostRun(["services", "--format", "json"]).json()["services"] as? [[String: Any]] ?? []
        #expect(services.count > 30)
        for name in services.compactMap({ $0["name"] as? String }) {
            #expect(picture.output.contains("data-service=\"\(name)\""))
        }
        for area in ["Device", "Market", "Network", "Storage", "Telemetry"] {
            #expect(picture.output.contains("data-area=\"\(area)\""))
        }
        #expect(picture.output.matches(of: /data-area=/).count == 5)
        try Data("return {}".utf8).write(to: markets.appending(path: "us.lua"))
        #expect(try HostRun(["graph", "--as", "svg", "--markets", markets.path]).output == picture.output)
        #expect(try HostRun(["graph", "--as", "svg", "-m", "zz"]).status == 2)
        #expect(try HostRun(["graph", "--as", "svg", "--format", "json"]).status == 64)
    }

    @Test func unknownNotationIsUsageError() throws {
        let run = try HostRun(["graph", "--as", "png"])
        #expect(run.status == 64)
        #expect(run.errors.contains("png"))
    }
}
