import FlyingFox
import FlyingSocks

/// The body of an answer that goes on: each text is sent as soon as it comes.
struct EventBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let events: AsyncStream<String>

    func makeAsyncIterator() -> Iterator { Iterator(base: events.makeAsyncIterator()) }

    struct Iterator: AsyncBufferedIteratorProtocol {
        var base: AsyncStream<String>.Iterator

        mutating func next() async throws -> UInt8? {
            preconditionFailure("an event is sent whole: call nextBuffer(suggested:)")
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            // Whole, whatever is suggested: a part of an event would wait in the browser for the rest.
            await base.next(isolation: #isolation).map { Array($0.utf8) }
        }
    }
}

/// A body after which the connection is closed, because the client may still be sending what nobody reads.
struct LastBody: AsyncBufferedSequence {
    typealias Element = UInt8

    let bytes: [UInt8]

    func makeAsyncIterator() -> Iterator { Iterator(bytes: bytes) }

    /// Ends the connection: FlyingFox closes one whose body throws.
    private struct Done: Error {}

    struct Iterator: AsyncBufferedIteratorProtocol {
        var bytes: [UInt8]?

        mutating func next() async throws -> UInt8? {
            preconditionFailure("the body is sent whole: call nextBuffer(suggested:)")
        }

        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
            guard let whole = bytes else { throw Done() }
            bytes = nil
            return whole
        }
    }
}
