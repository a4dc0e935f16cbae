import Foundation
import Testing

@testable import GlassAuthoring

struct MessageSplitterTests {
    @Test func bodiesAreCompleteHoweverStreamIsSplit() throws {
        let stream = Array(
            "Content-Length: 2\r\n\r\n{}content-type: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH:  3 \r\n\r\nabcContent-Length: 0\n\n"
                .utf8)
        for cut in 0...stream.count {
            var splitter = MessageSplitter()
            var bodies: [MessageSplitter.Message] = []
            for part in [stream[..<cut], stream[cut...]] {
                splitter.append(part)
                while let body = try splitter.next() { bodies.append(body) }
            }
            #expect(bodies == [.body(Array("{}".utf8)), .body(Array("abc".utf8)), .body([])], "cut at \(cut)")
            #expect(!splitter.isWithinMessage)
        }
    }

    @Test func headerReceivedByteByByteIsExaminedOnce() throws {
        let line = "X-Filler: " + String(repeating: "x", count: 4000) + "\r\n"
        let stream = Array((String(repeating: line, count: 4) + "Content-Length: 2\r\n\r\n{}").utf8)
        var splitter = MessageSplitter()
        var bodies: [MessageSplitter.Message] = []
        for byte in stream {
            splitter.append([byte])
            while let body = try splitter.next() { bodies.append(body) }
        }
        #expect(bodies == [.body(Array("{}".utf8))])
        #expect(splitter.examined == stream.count - 2)
    }

    @Test(arguments: [1, 4096, 1 << 20])
    func overlongMessageIsSkipped(piece: Int) throws {
        let length = MessageSplitter.maximumMessageLength + 1
        var splitter = MessageSplitter()
        splitter.append("Content-Length: \(length)\r\n\r\n".utf8)
        #expect(try splitter.next() == .skipped(length: length))
        // Piece by piece; the last piece contains the next message.
        var left = length
        while left > 1 << 20 {
            splitter.append(repeatElement(UInt8(ascii: "x"), count: 1 << 20))
            left -= 1 << 20
            #expect(try splitter.next() == nil)
        }
        while left > piece {
            splitter.append(repeatElement(UInt8(ascii: "x"), count: min(left, piece + (1 << 12))))
            left -= min(left, piece + (1 << 12))
        }
        splitter.append(Array(repeating: UInt8(ascii: "x"), count: left) + Array("Content-Length: 1\r\n\r\n3".utf8))
        #expect(try splitter.next() == .body([UInt8(ascii: "3")]))
        #expect(!splitter.isWithinMessage)
    }

    /// The inputs that `scripts/fuzz framing` starts with.
    @Test func corpusStreamGivesSameResultHoweverSplit() throws {
        let folder = EditorFixture.repository.appending(path: "Tests/Fuzz/corpus/framing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        try #require(!names.isEmpty)
        for name in names {
            let stream = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            let whole = FramedStream(stream, pieces: { _ in stream.count })
            #expect(FramedStream(stream, pieces: { _ in 1 }) == whole, "\(name)")
            #expect(FramedStream(stream, pieces: { $0 % 7 + 1 }) == whole, "\(name)")
            #expect(whole.examined <= stream.count, "\(name)")
            // A header line has up to 4 KB, and an error quotes only its beginning.
            #expect((whole.error?.description.utf8.count ?? 0) < 1000, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("Content-Type: x\r\n\r\n", "a header has no Content-Length"),
            ("\r\n", "a header has no Content-Length"),
            ("Content-Length: -1\r\n\r\n", "the Content-Length \"-1\" is not a number"),
            ("Content-Length: \r\n\r\n", "the Content-Length \"\" is not a number"),
            (
                "Content-Length: 12345678901234567890\r\n\r\n",
                "the Content-Length \"12345678901234567890\" is larger than 64 MB"
            ),
            ("Content-Length: 4294967296\r\n\r\n", "the Content-Length \"4294967296\" is larger than 64 MB"),
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\n", "a header has two different lengths"),
            ("GET / HTTP/1.1\r\n", "\"GET / HTTP/1.1\" is not a header line"),
            ("Content-Type: x; charset=\"latin1\"\r\n", "messages must be UTF-8, not \"latin1\""),
            (LongText("X: " + String(repeating: "x", count: 5000)), "a header line is longer than 4 KB"),
            (LongText(String(repeating: "X: y\r\n", count: 4000)), "a header is longer than 16 KB"),
        ] as [(LongText, String)])
    func headerWithoutLengthEndsStream(stream: LongText, message: String) {
        var splitter = MessageSplitter()
        splitter.append(stream.text.utf8)
        #expect(throws: FramingError(message)) { _ = try splitter.next() }
    }

    @Test func announcedLengthReservesNoMemory() throws {
        var splitter = MessageSplitter()
        splitter.append("Content-Length: 16777216\r\n\r\nx".utf8)
        #expect(try splitter.next() == nil)
        #expect(splitter.isWithinMessage)
    }
}
