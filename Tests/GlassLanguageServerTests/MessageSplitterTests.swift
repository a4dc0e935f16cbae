import Testing

@testable import GlassLanguageServer

struct MessageSplitterTests {
    @Test func bodiesComeWholeHoweverTheStreamIsCut() throws {
        let stream = Array(
            "Content-Length: 2\r\n\r\n{}content-type: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH:  3 \r\n\r\nabcContent-Length: 0\n\n"
                .utf8)
        for cut in 0...stream.count {
            var splitter = MessageSplitter()
            var bodies: [[UInt8]] = []
            for part in [stream[..<cut], stream[cut...]] {
                splitter.append(part)
                while let body = try splitter.next() { bodies.append(body) }
            }
            #expect(bodies == [Array("{}".utf8), Array("abc".utf8), []], "cut at \(cut)")
            #expect(!splitter.isWithinMessage)
        }
    }

    @Test(
        arguments: [
            ("Content-Type: x\r\n\r\n", "a header has no Content-Length"),
            ("\r\n", "a header has no Content-Length"),
            ("Content-Length: -1\r\n\r\n", "the Content-Length \"-1\" is no number"),
            ("Content-Length: \r\n\r\n", "the Content-Length \"\" is no number"),
            (
                "Content-Length: 12345678901234567890\r\n\r\n",
                "a message of 12345678901234567890 bytes is larger than 64 MB"
            ),
            ("Content-Length: 4294967296\r\n\r\n", "a message of 4294967296 bytes is larger than 64 MB"),
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "a header has two different lengths"),
            ("GET / HTTP/1.1\r\n", "\"GET / HTTP/1.1\" is no header line"),
            ("Content-Type: x; charset=\"latin1\"\r\n", "the text of messages is UTF-8, not latin1"),
            (LongText("X: " + String(repeating: "x", count: 5000)), "a header line is longer than 4 KB"),
            (LongText(String(repeating: "X: y\r\n", count: 4000)), "a header is longer than 16 KB"),
        ] as [(LongText, String)])
    func aHeaderWithoutALengthEndsTheStream(stream: LongText, message: String) {
        var splitter = MessageSplitter()
        splitter.append(stream.text.utf8)
        #expect(throws: FramingError(message)) { _ = try splitter.next() }
    }

    @Test func nothingIsReservedForWhatIsOnlyAnnounced() throws {
        var splitter = MessageSplitter()
        splitter.append("Content-Length: 67108864\r\n\r\nx".utf8)
        #expect(try splitter.next() == nil)
        #expect(splitter.isWithinMessage)
    }
}
