import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SchemaCommandTests {
    @Test func theCommittedReferenceIsTheGeneratedOne() throws {
        let run = try HostProcess(["schema", "markdown"])
        let page = "Sources/GlassMarketFiles/GlassMarketFiles.docc/ConfigurationReference.md"
        let committed = try String(contentsOf: HostProcess.repository.appending(path: page), encoding: .utf8)
        #expect(run.output == committed, "renew it: scripts/glass-host schema markdown > \(page)")
        #expect(run.status == 0)
    }

    @Test func theStubsStandAloneOrInJSON() throws {
        let text = try HostProcess(["schema", "stubs"])
        #expect(text.output.hasPrefix("---@meta\n"))
        let json = try HostProcess(["schema", "stubs", "--format", "json"]).json()
        #expect(json["stubs"] as? String == text.output)
        #expect(json["schema"] as? Int == 1)
    }

    @Test func theJSONSchemaIsOne() throws {
        let schema = try HostProcess(["schema", "json-schema"]).json()
        #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
        #expect((schema["properties"] as? [String: Any])?["currency"] != nil)
    }

    @Test func theGraphHasEveryServiceInEachNotation() throws {
        let dot = try HostProcess(["graph"])
        #expect(dot.output.hasPrefix("digraph services {\n") && dot.output.contains("UserAgentProviding"))
        let mermaid = try HostProcess(["graph", "--as", "mermaid", "-m", "ca"])
        #expect(mermaid.output.hasPrefix("graph TD\n"))
        let json = try HostProcess(["graph", "--format", "json"]).json()
        let services = try HostProcess(["services", "--format", "json"]).json()
        // What services are made from has its nodes too.
        let settings = [
            "DeepLinkConfiguration", "MarketDefinition", "MarketInstance", "PlatformConfig", "PlatformHost",
        ]
        #expect((json["nodes"] as? [Any])?.count == ((services["services"] as? [Any])?.count ?? 0) + settings.count)
        #expect(settings.allSatisfy { dot.output.contains($0) })
        #expect(json["schema"] as? Int == 1)
    }

    @Test func aWrongNotationIsAUsageError() throws {
        let run = try HostProcess(["graph", "--as", "png"])
        #expect(run.status == 64)
        #expect(run.errors.contains("png"))
    }
}
