import GlassAuthoring

/// The result of reading a stream in pieces.
struct FramedStream: Equatable {
    var messages: [MessageSplitter.Message] = []
    var error: FramingError?
    var isWithinMessage = false
    /// The number of header bytes examined.
    var examined = 0

    /// Reads a stream in pieces whose lengths depend on their start.
    init(_ stream: [UInt8], pieces: (Int) -> Int) {
        var splitter = MessageSplitter()
        var start = 0
        do throws(FramingError) {
            while start < stream.count {
                let end = min(start + pieces(start), stream.count)
                splitter.append(stream[start..<end])
                start = end
                while let message = try splitter.next() { messages.append(message) }
            }
            isWithinMessage = splitter.isWithinMessage
        } catch {
            self.error = error
        }
        examined = splitter.examined
    }
}
