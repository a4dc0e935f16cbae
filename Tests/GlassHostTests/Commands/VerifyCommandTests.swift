import CommandTesting
import FlyingFox
import FlyingSocks
import Foundation
import TestSupport
import Testing

/// `verify` against local servers that each have one fault, and against files in a folder.
@Suite(.timeLimit(.minutes(3)))
struct VerifyCommandTests {
    private static let association = "/.well-known/apple-app-site-association"
    private static let links = "/.well-known/assetlinks.json"

    /// The fault in the server's responses.
    enum Fault: Sendable {
        case redirect, bareRedirects, html, wrongType, missing, unavailable, empty, tooLarge, otherApp, lostRoute,
            otherCertificate, olderPlace
    }

    /// The exported files of Canada, with both host names of its site.
    private struct Site {
        let folder: TestFolder
        let files: Files
        var association: String { files.association }
        var links: String { files.links }

        init() throws {
            folder = try Self.market()
            files = try Self.exported.get()
        }

        private static func market() throws -> TestFolder {
            let folder = try TestFolder()
            let market = try folder.markets().appending(path: "ca.lua")
            let text = try String(contentsOf: market, encoding: .utf8)
                .replacing(#"{ "www.walmart.ca" }"#, with: #"{ "www.walmart.ca", "walmart.ca" }"#)
            try Data(text.utf8).write(to: market)
            return folder
        }

        /// Exported once, because most tests need the files.
        private static let exported = Result { try export() }

        private static func export() throws -> Files {
            let folder = try market()
            func output(of file: String) throws -> String {
                try HostRun(["export", file, "-m", "ca", "--host", "walmart.ca"], folder: folder.url).output
            }
            return Files(association: try output(of: "aasa"), links: try output(of: "assetlinks"))
        }
    }

    /// The files of a server.
    private struct Files: Sendable {
        let association: String
        let links: String

        /// The server's response.
        func answer(_ request: HTTPRequest, _ fault: Fault?) -> HTTPResponse {
            let host = request.headers[.host] ?? ""
            let isOlder = request.path == "/apple-app-site-association"
            // Without a fault, the legacy path has different content, which must not be requested.
            if isOlder != (fault == .olderPlace), request.path != VerifyCommandTests.links {
                return HTTPResponse(statusCode: .notFound)
            }
            let isAssociation = isOlder || request.path == VerifyCommandTests.association
            var text = isAssociation ? association : links
            var headers: HTTPHeaders = [.contentType: "application/json"]
            switch fault {
            case .redirect: return Self.redirect(to: "https://elsewhere.example.com\(request.path)")
            case .bareRedirects where host.hasPrefix("walmart.ca"):
                return Self.redirect(to: "https://www.walmart.ca\(request.path)")
            case .html:
                text = "<!doctype html><title>Walmart</title>"
                headers[.contentType] = "text/html; charset=utf-8"
            case .wrongType: headers[.contentType] = "text/plain"
            case .missing: return HTTPResponse(statusCode: .notFound)
            case .unavailable: return HTTPResponse(statusCode: .serviceUnavailable)
            case .empty: text = ""
            case .tooLarge where isAssociation: text += String(repeating: " ", count: 130 * 1024)
            case .otherApp: text = text.replacing("com.walmart", with: "com.example")
            case .lostRoute: text = text.replacing("\"/myaccount", with: "\"/my-account")
            case .otherCertificate: text = text.replacing("A1:", with: "A2:").replacing("2B:", with: "2C:")
            default: break
            }
            return HTTPResponse(statusCode: .ok, headers: headers, body: Data(text.utf8))
        }

        private static func redirect(to url: String) -> HTTPResponse {
            var headers = HTTPHeaders()
            headers[.location] = url
            return HTTPResponse(statusCode: .movedPermanently, headers: headers)
        }
    }

    /// Runs `verify` against a server; on its own thread, because the server needs the task threads.
    private func verify(_ site: Site, _ fault: Fault?, _ options: [String] = []) async throws -> HostRun {
        let server = HTTPServer(
            address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled,
            handler: ClosureHTTPHandler { [files = site.files] in files.answer($0, fault) })
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await server.waitUntilListening()
        guard case .ip4(_, let port)? = await server.listeningAddress else { throw URLError(.cannotConnectToHost) }
        let arguments = ["verify", "http://127.0.0.1:\(port)", "-m", "ca", "--format", "json"] + options
        let folder = site.folder.url
        let run = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try HostRun(arguments, folder: folder) })
            }
        }
        await server.stop()
        return run
    }

    private func codes(_ run: HostRun, _ severity: String = "error") throws -> [String: Set<String>] {
        let findings = try #require(try run.json()["findings"] as? [[String: Any]])
        var codes: [String: Set<String>] = [:]
        for finding in findings where finding["severity"] as? String == severity {
            let code = try #require(finding["code"] as? String)
            codes[code, default: []].insert("\(finding["host"] ?? "") \(finding["file"] ?? "")")
        }
        return codes
    }

    @Test func correctServerHasNoFindings() async throws {
        let run = try await verify(try Site(), nil)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try codes(run) == [:] && codes(run, "warning") == [:])
        let files = try #require(try run.json()["files"] as? [[String: Any]])
        #expect(
            files.map { $0["host"] as? String } == ["www.walmart.ca", "www.walmart.ca", "walmart.ca", "walmart.ca"])
        #expect(files.allSatisfy { $0["contentType"] as? String == "application/json" })
    }

    /// The status of an error response is sufficient: its content may never end.
    @Test func contentOfErrorResponseIsNotRead() throws {
        let site = try Site()
        let server = try RawServer { [files = site.files] connection in
            if connection.path == "/apple-app-site-association" {
                connection.answer(200, ["Content-Type": "application/json"], files.association)
            } else if connection.path == Self.links {
                connection.answer(200, ["Content-Type": "application/json"], files.links)
            } else {
                connection.head(404, [:])
                while connection.send([UInt8](repeating: 0x20, count: 4096)) {}
            }
        }
        let port = try #require(server.url.port)
        let run = try HostRun(
            ["verify", "http://127.0.0.1:\(port)", "-m", "ca", "--format", "json"], folder: site.folder.url)
        #expect(run.status == 0, "\(run.output)")
        #expect(try Set(codes(run, "warning").keys) == ["olderPlace"])
    }

    private static let faults: [(Fault, Set<String>)] = [
        (.redirect, ["redirected"]), (.html, ["contentType", "notJSON"]), (.wrongType, ["contentType"]),
        (.missing, ["missing"]), (.unavailable, ["status"]), (.empty, ["notJSON"]), (.tooLarge, ["tooLarge"]),
        (.otherApp, ["missingApp"]), (.lostRoute, ["missedRoute"]), (.otherCertificate, ["missingDigest"]),
    ]

    @Test(arguments: faults)
    func faultyServerIsReported(fault: Fault, expected: Set<String>) async throws {
        let run = try await verify(try Site(), fault)
        #expect(run.status == 1)
        let codes = try codes(run)
        #expect(Set(codes.keys) == expected)
        #expect(codes.values.allSatisfy { $0.contains { $0.hasPrefix("www.") } && $0.contains { $0.hasPrefix("wal") } })
    }

    @Test func fileAtSiteRootIsWarning() async throws {
        let run = try await verify(try Site(), .olderPlace)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try codes(run) == [:])
        let files: Set = ["www.walmart.ca apple-app-site-association", "walmart.ca apple-app-site-association"]
        #expect(try codes(run, "warning") == ["olderPlace": files])
        let places = try #require(try run.json()["files"] as? [[String: Any]]).compactMap { $0["place"] as? String }
        #expect(places[0].hasSuffix("/apple-app-site-association as www.walmart.ca"))
        #expect(!places[0].contains(".well-known"))
    }

    @Test func redirectFromBareHostIsReportedSeparately() async throws {
        let site = try Site()
        let run = try await verify(site, .bareRedirects)
        #expect(run.status == 1)
        let files: Set = ["walmart.ca apple-app-site-association", "walmart.ca assetlinks.json"]
        #expect(try codes(run) == ["redirected": files])
        let findings = try run.json()["findings"] as? [[String: Any]]
        #expect(
            findings?.first?["message"] as? String
                == "the server redirects to https://www.walmart.ca/.well-known/apple-app-site-association, and neither "
                + "Apple's servers nor Android follow redirects")
        let other = try await verify(site, .bareRedirects, ["--host", "www.walmart.ca"])
        #expect(other.status == 0)
    }

    @Test func lostRouteIsReportedWithLinks() async throws {
        let run = try await verify(try Site(), .lostRoute)
        let findings = try #require(try run.json()["findings"] as? [[String: Any]])
        let lost = try #require(findings.first { $0["code"] as? String == "missedRoute" })
        #expect(lost["pattern"] as? String == "myaccount" && lost["routable"] as? String == "account")
        #expect((lost["links"] as? [String])?.first == "https://www.walmart.ca/myaccount")
    }

    @Test func unreachableServerIsReported() throws {
        let run = try HostRun(["verify", "http://127.0.0.1:1", "-m", "ca", "--format", "json"])
        #expect(run.status == 2)
        #expect(try Set(codes(run).keys) == ["unreachable"])
    }

    /// Devices read the files of a wildcard from the host behind it, so there is nothing to compare on other hosts.
    @Test func hostOfAWildcardNamesTheHostOfItsFiles() throws {
        let folder = try TestFolder()
        let market = try folder.markets().appending(path: "ca.lua")
        let text = try String(contentsOf: market, encoding: .utf8)
            .replacing(#"{ "www.walmart.ca" }"#, with: #"{ "www.walmart.ca", "*.stores.walmart.ca" }"#)
        try Data(text.utf8).write(to: market)
        let run = try HostRun(["verify", "https://paris.stores.walmart.ca", "-m", "ca"], folder: folder.url)
        #expect(run.status == 1)
        #expect(
            run.errors.contains(
                "the links of paris.stores.walmart.ca are those of *.stores.walmart.ca, whose files devices read from "
                    + "stores.walmart.ca; verify https://stores.walmart.ca"), "\(run.errors)")
        #expect(try HostRun(["check", "ca"], folder: folder.url).status == 0)
    }

    @Test(arguments: [
        ("http://www.walmart.ca", 2, "is not an https URL"),
        ("https://www.walmart.ca/shop", 2, "is not the URL of a site"),
        ("https://www.walmart.com", 1, "the market has no host"), ("no-such-folder", 2, "there is no folder"),
        ("ftp://www.walmart.ca", 2, "is not an https URL"), ("https://", 2, "is not the URL of a site"),
    ])
    func siteOfOtherMarketIsRejected(site: String, status: Int32, message: String) throws {
        let run = try HostRun(["verify", site, "-m", "ca"])
        #expect(run.status == status)
        #expect(run.errors.contains(message))
    }

    @Test func folderIsComparedHostByHost() throws {
        let site = try Site()
        let root = site.folder.url.appending(path: "site")
        func write(_ text: String, _ path: String) throws {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try write(site.association, ".well-known/apple-app-site-association")
        try write(site.links, ".well-known/assetlinks.json")
        let good = try HostRun(["verify", "site", "-m", "ca"], folder: site.folder.url)
        #expect(good.status == 0 && good.output == "4 files: 0 errors, 0 warnings\n", "\(good.output)\(good.errors)")
        try write("{}", "walmart.ca/.well-known/apple-app-site-association")
        let bad = try HostRun(["verify", "site", "-m", "ca", "-q"], folder: site.folder.url)
        #expect(bad.status == 1)
        #expect(
            bad.output.hasPrefix(
                "walmart.ca/apple-app-site-association: error: does not name CA7W4LMART.com.walmart.canada: no link opens the app"
            ))
        try FileManager.default.removeItem(at: root.appending(path: ".well-known/assetlinks.json"))
        let none = try HostRun(["verify", "site", "-m", "ca", "--format", "json"], folder: site.folder.url)
        #expect(try codes(none)["missing"] == ["www.walmart.ca assetlinks.json", "walmart.ca assetlinks.json"])
    }

    /// A report names the file of a folder, and for a host or a server the folder of the markets.
    @Test func reportHasEachFindingAtItsFile() throws {
        let site = try Site()
        let file = site.folder.url.appending(path: "site/www.walmart.ca\(Self.association)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: file)
        let arguments = ["verify", "site", "-m", "ca", "--host", "www.walmart.ca"]
        let shown = try HostRun(arguments, folder: site.folder.url)
        let run = try HostRun(arguments + ["--as", "sarif"], folder: site.folder.url)
        #expect(run.status == 1)
        let log = try #require((try run.json()["runs"] as? [[String: Any]])?.first)
        let results = try #require(log["results"] as? [[String: Any]])
        #expect(
            results.count
                == shown.output.split(separator: "\n").count { $0.contains(": error: ") || $0.contains(": warning: ") })
        let uris = results.map { result in
            let place = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
            return "\(result["ruleId"] ?? "") \((place?["artifactLocation"] as? [String: Any])?["uri"] ?? "")"
        }
        #expect(uris.contains("missingApp site/www.walmart.ca\(Self.association)"), "\(uris)")
        let rules = ((log["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]]
        #expect(
            rules?.compactMap { ($0["shortDescription"] as? [String: Any])?["text"] as? String }
                .contains("A file that does not name the app of the market") == true)
        let server = try HostRun(
            ["verify", "http://127.0.0.1:1", "-m", "ca", "--as", "github"], folder: site.folder.url)
        #expect(server.status == 2 && server.output.contains("::error file=markets,line=1,title=unreachable::"))
        #expect(try HostRun(arguments + ["--as", "sarif", "--format", "json"], folder: site.folder.url).status == 64)
    }

    @Test(arguments: ["", "walmart.ca/", "www.walmart.ca/"])
    func fileAtFolderRootIsWarning(place: String) throws {
        let site = try Site()
        let root = site.folder.url.appending(path: "site")
        let file = root.appending(path: "\(place)apple-app-site-association")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(site.association.utf8).write(to: file)
        try Data(site.links.utf8).write(to: root.appending(path: "assetlinks.json"))
        let host = place.isEmpty ? "walmart.ca" : String(place.dropLast())
        let run = try HostRun(
            ["verify", "site", "-m", "ca", "--host", host, "--format", "json"], folder: site.folder.url)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try codes(run, "warning") == ["olderPlace": ["\(host) apple-app-site-association"]])
    }

    /// The content of a file does not affect time or memory: each of these gets a finding that names a limit.
    @Test(arguments: [
        // 35 KB that expand to gigabytes, and patterns that are compared with every link.
        (#"{"/":"/\#(String(repeating: "$(v)", count: 50))"}"#, 100, #"["xxxxxxxxxx"]"#, 1_000),
        (#"{"/":"\#(String(repeating: "$(v)", count: 8))b"}"#, 200, #"["?*"]"#, 500),
        (#"{"/":"\#(String(repeating: "*a", count: 40))"}"#, 1_000, "[]", 1),
    ])
    func hostileFileIsCheckedInTime(component: String, count: Int, values: String, valueCount: Int) throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let site = folder.url.appending(path: "site/.well-known")
        try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
        let value = String(values.dropFirst().dropLast())
        let list = Array(repeating: value, count: valueCount).joined(separator: ",")
        let components = Array(repeating: component, count: count).joined(separator: ",")
        let text = """
            {"applinks":{"substitutionVariables":{"v":[\(list)]},"details":[{"appIDs":["CA7W4LMART.com.walmart.canada"],\
            "components":[\(components)]}]}}
            """
        #expect(text.utf8.count < 128 << 10)
        try Data(text.utf8).write(to: site.appending(path: "apple-app-site-association"))
        let begin = ContinuousClock.now
        let run = try HostRun(["verify", "site", "-m", "ca", "--format", "json"], folder: folder.url)
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(run.status == 1, "\(run.output)\(run.errors)")
        #expect(run.output.utf8.count < 64 << 10)
    }

    @Test func linkOutsideFolderIsNotFollowed() throws {
        let site = try Site()
        let folder = site.folder.url.appending(path: "site/.well-known")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "apple-app-site-association"), withDestinationURL: URL(filePath: "/etc/passwd"))
        let run = try HostRun(["verify", "site", "-m", "ca"], folder: site.folder.url)
        #expect(run.status == 2)
        #expect(run.errors.contains("cannot read site/.well-known/apple-app-site-association"))
    }
}
