import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

@Suite(.timeLimit(.minutes(1)))
struct ApplicationURLHandlerTests {
    static let configuration = DeepLinkConfiguration(
        schemes: ["walmart.ca"], universalLinks: ["www.walmart.ca"],
        allowedDomains: [.init(name: "walmart.ca", allowSubdomains: true), .init(name: "example.org")],
        linkParameters: ["returnTo"])

    /// A handler that prints, and its output.
    struct Printer {
        let lines = Lock<[String]>([])

        var handler: SystemURLHandler {
            SystemURLHandler(
                configuration: ApplicationURLHandlerTests.configuration,
                opener: .print { [lines] text in lines.withLock { $0.append(text) } })
        }
    }

    /// The gate of `UIApplication`, which knows no market: each scheme and domain, except what any market refuses.
    @Test(
        arguments: [
            ("https://example.org/a", nil), ("tel:+18009256278", nil), ("other-app://page", nil),
            ("app-settings:", nil),
            ("http://example.org/", .cleartext), ("https://www.walmart.ca@evil.com/", .userinfo),
            ("no scheme", .malformed),
            ("tel:*21*5551234#", .sideEffect), ("mailto:a@example.org?attach=/etc/passwd", .sideEffect),
            ("tel:", .malformed), ("other-app://a b", .whitespace),
        ] as [(String, DeepLinkRule?)])
    func gateWithoutMarketRefusesWhatAnyMarketRefuses(url: String, rule: DeepLinkRule?) {
        #expect(OutboundLink.refusalWithoutMarket(of: url)?.rule == rule)
    }

    @Test(arguments: [
        "https://help.walmart.ca/returns?topic=a%20b", "https://www.walmart.ca/flyers", "walmart.ca://myaccount",
        "https://example.org/", "HTTPS://EXAMPLE.ORG/a",
        "https://help.walmart.ca/?returnTo=https%3A%2F%2Fexample.org%2F",
    ])
    func allowedLinkIsPrintedAndNotOpened(url: String) async throws {
        let printer = Printer()
        #expect(printer.handler.canOpen(url))
        try await printer.handler.open(url)
        #expect(printer.lines.withLock { $0 } == [url])
    }

    @Test(arguments: [
        "tel:+1-800-925-6278", "TEL:+18009256278", "tel:1;ext=2", "mailto:help@walmart.ca?subject=Hi&body=a%0D%0Ab",
        "sms:+18009256278&body=Where%20is%20it%3F", "sms:+1?body=a%0Ab", "maps://?q=Walmart&near=50.6,3.06",
        "itms-apps://apps.apple.com/app/id396000412", "app-settings:", "mailto:?to=a@b.org",
    ])
    func commonExternalLinksAreOpened(url: String) async throws {
        let printer = Printer()
        #expect(printer.handler.canOpen(url))
        try await printer.handler.open(url)
        #expect(printer.lines.withLock { $0 } == [url])
    }

    /// What may leave the app leaves as it is (RFC 3986, §2.2), tried with the links of the URL Standard's tests.
    @Test func linkLeavesAsTheSameBytes() async throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "GlassDeepLinkingTests/Fixtures/urltestdata.json")
        let entries = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Any])
        let inputs = entries.compactMap { ($0 as? [String: Any])?["input"] as? String }
        let made = ["a;v=1/b", "?sig=a;b", "(x)'$y", "a!b*c+d,e=f@g", "a%3Bb%2Fc", "?q=%2B+&r=:/?@"].flatMap {
            ["https://example.org/\($0)", "tel:1;\($0)", "other:\($0)"]
        }
        let reserved = Set("-._~:/?@!$&'()*+,;=%".utf8)
        var (count, exact) = (0, 0)
        for link in inputs + made {
            guard let parsed = try? DeepLink(link) else { continue }
            let configuration = DeepLinkConfiguration(
                allowedDomains: [.init(name: parsed.host)], outboundSchemes: parsed.isWebLink ? [] : [parsed.scheme])
            let (printed, opened) = (Lock<[String]>([]), Lock<[String]>([]))
            let printer = SystemURLHandler(
                configuration: configuration, opener: .print { text in printed.withLock { $0.append(text) } })
            guard printer.canOpen(link), URL(string: link) != nil else { continue }
            count += 1
            try await printer.open(link)
            #expect(printed.withLock { $0 } == [link])
            let custom = SystemURLHandler(
                configuration: configuration,
                opener: .custom { url in opened.withLock { $0.append(url.absoluteString) } })
            try await custom.open(link)
            let text = try #require(opened.withLock(\.first))
            let isURI = link.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || reserved.contains($0)
            }
            if isURI { exact += 1 }
            // Only bytes that no URI has are escaped.
            #expect(isURI ? text == link : text.removingPercentEncoding == link.removingPercentEncoding, "\(link)")
        }
        #expect(count > 60 && exact > 40, "\(count) \(exact)")
    }

    @Test func marketDecidesWhichAppsLinksMayOpen() async throws {
        let lines = Lock<[String]>([])
        let own = DeepLinkConfiguration(schemes: ["walmart.ca"], outboundSchemes: ["whatsapp", "walmart.ca"])
        let handler = SystemURLHandler(
            configuration: own, opener: .print { text in lines.withLock { $0.append(text) } })
        try await handler.open("whatsapp://send?phone=1")
        let call = await #expect(throws: ApplicationURLError.self) { try await handler.open("tel:1") }
        #expect(
            call?.description
                == "not opened: \"tel:1\": this market has no scheme \"tel\"; add it to deepLinking.outboundSchemes if "
                + "another program should open it")
        let settings = await #expect(throws: ApplicationURLError.self) { try await handler.openSettings() }
        #expect(settings?.description.contains("\"app-settings\"") == true)
        // The app's own links pass the same checks as incoming ones.
        #expect(!handler.canOpen("walmart.ca://a//b") && handler.canOpen("walmart.ca://a"))
        #expect(lines.withLock { $0 } == ["whatsapp://send?phone=1"])
    }

    @Test(arguments: [
        (
            "tel:*21*1%23",
            "link refused (sideEffect) at byte 4: \"*\" triggers an action in the app that opens it; remove it"
        ),
        (
            "mailto:a@b.org?attach=/x",
            "link refused (sideEffect) at byte 15: \"attach=/x\" triggers an action in the app that opens it; remove it"
        ),
        (
            "tel:1%2",
            "link refused (invalidEscape) at byte 5: \"%2\" is not a percent escape; write a percent sign as %25"
        ),
    ])
    func linkWithSideEffectInOtherAppIsRejected(url: String, text: String) async {
        let error = await #expect(throws: ApplicationURLError.self) { try await Printer().handler.open(url) }
        #expect(error?.description == "not opened: \(text)")
    }

    @Test(
        arguments: [
            (
                "https://evil.example/",
                "not opened: \"https://evil.example/\": the host \"evil.example\" is neither a universal link nor an "
                    + "allowed domain; add it to deepLinking.allowedDomains"
            ),
            (
                "https://www.example.org/",
                "not opened: \"https://www.example.org/\": the host \"www.example.org\" is neither a universal link nor "
                    + "an allowed domain; add it to deepLinking.allowedDomains"
            ),
            (
                "javascript:alert(1)",
                "not opened: \"javascript:alert(1)\": this market has no scheme \"javascript\"; "
                    + "add it to deepLinking.outboundSchemes if another program should open it"
            ),
            (
                "file:///etc/passwd",
                "not opened: \"file:///etc/passwd\": this market has no scheme \"file\"; "
                    + "add it to deepLinking.outboundSchemes if another program should open it"
            ),
            (
                "http://walmart.ca/",
                "not opened: link refused (cleartext) at byte 0: \"http://walmart.ca\" is not encrypted; write https"
            ),
            (
                "https://walmart.ca@evil.example/",
                "not opened: link refused (userinfo) at byte 8: user information \"walmart.ca@\" precedes the "
                    + "host; remove it"
            ),
        ])
    func disallowedLinkIsRejectedWithReason(url: String, text: String) async {
        let printer = Printer()
        #expect(!printer.handler.canOpen(url))
        let error = await #expect(throws: ApplicationURLError.self) { try await printer.handler.open(url) }
        #expect(error?.description == text)
        #expect(printer.lines.withLock { $0 }.isEmpty)
    }

    @Test(arguments: [
        "", "-h", "--help", "walmart.ca", "https://evilwalmart.ca/", "https://walmart.ca\\@evil.example/",
        "https://walmart.ca:444/", "https://walmart.ca/a b", "https://walmart.ca/\n-x", "https://walmart.ca/%00",
        "https://walmart.ca/../x", "https://[::1]/", "https://127.0.0.1/", "https://walmart.ca%2eevil.example/",
        "https://walmart.ca/?returnTo=javascript:alert(1)", "https://walmаrt.ca/",
        // External links: ones with side effects in other apps, and malformed ones.
        "tel:", "mailto:", "tel:*%2306%23", "tel:*21*5551234%23", "tel:%2A%23", "tel:1#2", "tel:1 2", "tel:1\n2",
        "tel:%00",
        "tel:1%", "tel:1%zz", "mailto:a@example.org?attach=/etc/passwd", "mailto:a@example.org?subject=x&Attachment=x",
        "mailto:a@example.org?at%74ach=/etc/passwd", "mailto:a@example.org?subject=x%0D%0ABcc:b@example.org",
        "mailto:a%0Ab@example.org", "sms:1\\2", "telprompt:1", "facetime:a", "maps:",
        "itms-apps://apps.apple.com/app/%07", "sms:+1?body=\u{7F}",
    ])
    func hostileLinksAreRejected(url: String) async {
        let printer = Printer()
        #expect(!printer.handler.canOpen(url))
        await #expect(throws: ApplicationURLError.self) { try await printer.handler.open(url) }
        #expect(printer.lines.withLock { $0 }.isEmpty)
    }

    @Test(
        arguments: [
            ("https://example.org/a'b\"c`d$(e);f|g", "https://example.org/a'b%22c%60d$(e);f%7Cg"),
            ("https://example.org/caf\u{E9}?q=\u{1F600}", "https://example.org/caf%C3%A9?q=%F0%9F%98%80"),
            ("https://example.org/%41?a=1&b=2#c", "https://example.org/%41?a=1&b=2#c"),
        ])
    func onlyBytesThatNoURIHasAreEscaped(url: String, opened: String) async throws {
        let seen = Lock<[String]>([])
        let handler = SystemURLHandler(
            configuration: Self.configuration,
            opener: .custom { url in seen.withLock { $0.append(url.absoluteString) } })
        try await handler.open(url)
        #expect(seen.withLock { $0 } == [opened])
    }

    @Test func errorOfOpenerIsReportedWithCause() async {
        struct Busy: Error, CustomStringConvertible {
            let description = "busy"
        }
        let handler = SystemURLHandler(configuration: Self.configuration, opener: .custom { _ in throw Busy() })
        let error = await #expect(throws: ApplicationURLError.self) { try await handler.open("https://example.org/") }
        #expect(
            error?.description
                == "not opened: the program's opener did not open \"https://example.org/\": busy")
    }

    #if os(Linux)
        /// Writes an opener into a temporary folder.
        func opener(_ body: String) async throws -> (program: String, output: URL, folder: URL) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "opener-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let text = folder.appending(path: "text")
            let program = folder.appending(path: "xdg-open")
            let output = folder.appending(path: "output")
            try "#!/bin/sh\n\(body.replacing("OUTPUT", with: output.path))\n"
                .write(to: text, atomically: true, encoding: .utf8)
            // Another process creates the program: a process that another test is just starting may inherit a file that
            // this one has open for writing, and such a program cannot be run.
            let install = Process()
            install.executableURL = URL(fileURLWithPath: "/usr/bin/install")
            install.arguments = ["-m", "755", text.path, program.path]
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                install.terminationHandler = { _ in continuation.resume() }
                do {
                    try install.run()
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            return (program.path, output, folder)
        }

        @Test func desktopOpenerReceivesLinkAsOnlyArgument() async throws {
            let (_, output, folder) = try await opener("printf '%s\\n' \"$#\" \"$@\" > OUTPUT")
            defer { try? FileManager.default.removeItem(at: folder) }  // the test's own folder
            let link = "https://example.org/?a=1&b=$(touch%20x)"
            try await DesktopOpener(searchPath: "/nonexistent:\(folder.path)", patience: .seconds(50)).open(link)
            #expect(try String(contentsOf: output, encoding: .utf8) == "1\n\(link)\n")
        }

        @Test func failingOpenerIsAnError() async throws {
            let (program, _, folder) = try await opener("exit 3")
            defer { try? FileManager.default.removeItem(at: folder) }  // the test's own folder
            let url = "https://example.org/"
            let error = await #expect(throws: ApplicationURLError.self) {
                try await DesktopOpener(program: program, patience: .seconds(50)).open(url)
            }
            #expect(
                error?.description == "not opened: \(program) did not open \"https://example.org/\": "
                    + "it exited with status 3")
        }

        @Test func runningOpenerIsNotAwaited() async throws {
            // It ends when the folder is removed, and not before.
            let (program, output, folder) = try await opener("while [ -e OUTPUT ]; do sleep 0.05; done; exit 3")
            defer { try? FileManager.default.removeItem(at: folder) }  // the test's own folder
            try Data().write(to: output)
            let url = "https://example.org/"
            try await DesktopOpener(program: program, patience: .milliseconds(1)).open(url)
        }

        @Test func systemWithoutOpenerIsAnError() async throws {
            let url = "https://example.org/"
            let error = await #expect(throws: ApplicationURLError.self) {
                try await DesktopOpener(searchPath: "/nonexistent").open(url)
            }
            #expect(
                error?.description == "not opened: this system has no xdg-open; install it or set another opener")
        }
    #endif

    @Test(arguments: ServiceKind.allCases)
    func scriptOpensLinks(kind: ServiceKind) async throws {
        let printer = Printer()
        let mock = ApplicationURLHandlerMock { $0.contains("evil") ? .noOpener("evil") : nil }
        let service: any ApplicationURLHandler = kind == .live ? printer.handler : mock
        let methods = service.scriptMethods
        let canOpen = try #require(methods.first { $0.name == "canOpen" })
        let open = try #require(methods.first { $0.name == "open" })
        #expect(try await canOpen(["https://evil.example/"]) == false)
        #expect(try await open(["https://example.org/"]) == .nil)
        await #expect(throws: ApplicationURLError.self) { try await open(["https://evil.example/"]) }
        #expect((kind == .live ? printer.lines.withLock { $0 } : mock.opened) == ["https://example.org/"])
    }
}
