#if canImport(CCurl)
    import CCurl
    import Foundation

    /// A handle of libcurl with the connections that it keeps, for one request at a time, on one thread at a time.
    final class CurlSession {
        private let multi: UnsafeMutableRawPointer
        private let easy: UnsafeMutableRawPointer
        /// What libcurl has pointers to: the last exchange and its header fields.
        private var transfer: CurlTransfer?
        private var fields: UnsafeMutablePointer<curl_slist>?
        /// Whether the last exchange left nothing behind.
        private(set) var isIdle = true

        /// Creates a session; nil if libcurl cannot.
        init?() {
            // libcurl counts the calls.
            guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK, let multi = curl_multi_init() else {
                return nil
            }
            guard let easy = curl_easy_init() else {
                curl_multi_cleanup(multi)
                return nil
            }
            self.multi = multi
            self.easy = easy
        }

        deinit {
            withoutPipeSignal {
                curl_multi_remove_handle(multi, easy)
                curl_easy_cleanup(easy)
                curl_multi_cleanup(multi)
                curl_slist_free_all(fields)
            }
        }

        /// Sends a request and waits for its answer.
        func run(_ request: HTTPRequest, to server: UpdateServer, until stop: CurlStop) -> HTTPAnswer {
            let start = ContinuousClock.now
            var url = request.url
            var redirects = 0
            while true {
                let transfer = CurlTransfer(request, url: url, start: start)
                stop.waking(multi) { exchange(transfer, until: stop) }
                guard let next = transfer.redirect else { return transfer.answer }
                redirects += 1
                if let refusal = server.refusal(of: next, redirect: redirects) {
                    transfer.answer.problem = .redirect(refusal)
                    return transfer.answer
                }
                url = next
            }
        }

        private func exchange(_ transfer: CurlTransfer, until stop: CurlStop) {
            isIdle = false
            curl_easy_reset(easy)
            curl_slist_free_all(fields)
            fields = nil
            for (name, value) in transfer.request.fields { fields = curl_slist_append(fields, "\(name): \(value)") }
            self.transfer = transfer
            guard transfer.prepare(easy, fields), curl_multi_add_handle(multi, easy) == CURLM_OK else {
                return transfer.end(.failed("libcurl takes no such request"))
            }
            wait(for: transfer, until: stop)
            // Without an answer libcurl may still look for the name, and would wait for that here.
            guard transfer.answer.status != nil else { return }
            curl_multi_remove_handle(multi, easy)
            isIdle = true
        }

        /// Lets libcurl work until the answer is there, its reader wants no more, or time is over.
        private func wait(for transfer: CurlTransfer, until stop: CurlStop) {
            var running: Int32 = 0
            while true {
                guard curl_multi_perform(multi, &running) == CURLM_OK else {
                    return transfer.end(.failed("libcurl fails"))
                }
                if running == 0 {
                    var left: Int32 = 0
                    let message = curl_multi_info_read(multi, &left)
                    return transfer.complete(message?.pointee.data.result ?? CURLE_FAILED_INIT)
                }
                if stop.isStopped { return transfer.end(.cancelled) }
                guard let remaining = transfer.remaining() else { return }
                curl_multi_poll(multi, nil, 0, remaining, nil)
            }
        }
    }

    /// One exchange: a request and the answer to it, a redirect or another.
    private final class CurlTransfer {
        let request: HTTPRequest
        var answer = HTTPAnswer()
        /// The status of a header that is not complete, and where it sends us.
        private var status = 0
        private var location: String?
        private let url: URL
        private let start: ContinuousClock.Instant
        private var lastByte: ContinuousClock.Instant
        private var headerBytes = 0
        private var isEnded = false

        /// The longest header, all fields together. libcurl limits it by itself since version 8.3.
        private static let longestHeader = 64 << 10

        init(_ request: HTTPRequest, url: URL, start: ContinuousClock.Instant) {
            self.request = request
            self.url = url
            self.start = start
            lastByte = .now
        }

        /// Ends the exchange, unless it ended.
        func end(_ problem: HTTPAnswer.Problem?) {
            guard !isEnded else { return }
            isEnded = true
            answer.problem = problem
        }

        /// The milliseconds until a deadline, at least one; nil after ending the exchange at one.
        func remaining() -> Int32? {
            let now = ContinuousClock.now
            let deadline = min(start + request.timeLimit, lastByte + request.silence)
            guard now < deadline else {
                end(now < start + request.timeLimit ? .silent(request.silence) : .tookTooLong)
                return nil
            }
            let (seconds, attoseconds) = (deadline - now).components
            return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }

        /// Tells a handle of libcurl what to send, and that what comes goes here.
        func prepare(_ easy: UnsafeMutableRawPointer, _ fields: UnsafeMutablePointer<curl_slist>?) -> Bool {
            let target = Unmanaged.passUnretained(self).toOpaque()
            var results = [
                curl_set_string(easy, CURLOPT_URL, url.absoluteString),
                curl_set_http_only(easy),
                curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields),
                // Threads and signals do not go together; see `withoutPipeSignal`.
                curl_set_long(easy, CURLOPT_NOSIGNAL, 1),
                // What a proxy answers is not what the server answers.
                curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
                curl_set_pointer(easy, CURLOPT_HEADERDATA, target),
                curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, target in
                    CurlTransfer.of(target).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
                curl_set_pointer(easy, CURLOPT_WRITEDATA, target),
                curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, target in
                    CurlTransfer.of(target).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
            ]
            if request.fields["Accept-Encoding"] == nil {
                results.append(curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate"))
            }
            return results.allSatisfy { $0 == CURLE_OK }
        }

        private static func of(_ target: UnsafeMutableRawPointer?) -> CurlTransfer {
            // What `prepare` gave to libcurl.
            Unmanaged<CurlTransfer>.fromOpaque(target.unsafelyUnwrapped).takeUnretainedValue()
        }

        /// Takes a line of a header.
        private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
            lastByte = .now
            headerBytes += bytes.count
            guard headerBytes <= Self.longestHeader else {
                end(.failed("the header of the answer is longer than \(Self.longestHeader) bytes"))
                return 0
            }
            // What comes behind the content is read by nobody.
            guard answer.status == nil else { return bytes.count }
            let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            if line.isEmpty {
                // Of an interim answer nothing stays (RFC 9110, section 15.2).
                if status >= 200 { answer.status = status } else { answer.fields = [:] }
            } else if line.hasPrefix("HTTP/") {
                status = Int(line.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") ?? 0
            } else if let colon = line.firstIndex(of: ":") {
                let name = line[..<colon].lowercased()
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                if HTTPAnswer.fieldsThatMatter.contains(name) { answer.fields[name] = value }
                if name == "location" { location = value }
            }
            return bytes.count
        }

        /// Takes a part of the content.
        private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
            lastByte = .now
            switch answer.append(bytes, limit: request.limit, already: request.already) {
            case .wanted: return bytes.count
            case .unwanted: end(nil)
            case .tooMuch: end(.tooLarge)
            }
            return 0
        }

        /// Notes how libcurl ended the exchange.
        func complete(_ result: CURLcode) {
            guard result == CURLE_OK else {
                return end(.failed("the transfer failed: \(String(cString: curl_easy_strerror(result)))"))
            }
            end(answer.status == nil ? .failed("the answer is no HTTP") : nil)
        }

        /// Where the server sends us (RFC 9110, section 15.4); nil if it does not.
        var redirect: URL? {
            guard answer.problem == nil, [301, 302, 303, 307, 308].contains(answer.status), let location else {
                return nil
            }
            return URL(string: location, relativeTo: url)?.absoluteURL
        }
    }
#endif
