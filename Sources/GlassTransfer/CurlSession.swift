#if canImport(CCurl)
    import CCurl
    import Foundation
    import GlassBase

    /// A libcurl handle with its connection, for one request at a time, on one thread at a time.
    final class CurlSession {
        private let multi: UnsafeMutableRawPointer
        private let easy: UnsafeMutableRawPointer
        private let usesProxies: Bool
        /// The last exchange and its header fields. libcurl has pointers to both.
        private var exchange: CurlExchange?
        private var fields: UnsafeMutablePointer<curl_slist>?
        /// Whether the last exchange left nothing unfinished.
        private(set) var isIdle = true

        /// Creates a session. Returns nil if libcurl cannot.
        init?(usesProxies: Bool) {
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
            self.usesProxies = usesProxies
        }

        deinit {
            withoutPipeSignal {
                curl_multi_remove_handle(multi, easy)
                curl_easy_cleanup(easy)
                curl_multi_cleanup(multi)
                curl_slist_free_all(fields)
            }
        }

        /// Sends a request and waits for its response.
        func run(_ intake: TransferIntake, until stop: TransferStop) -> TransferOutcome {
            let exchange = CurlExchange(intake, until: stop)
            isIdle = false
            curl_easy_reset(easy)
            // After the reset, because the handle points to the old fields until then.
            curl_slist_free_all(fields)
            fields = nil
            for (name, value) in intake.request.fields {
                // libcurl omits a field with nothing after its colon. A semicolon makes it send an empty one.
                fields = curl_slist_append(fields, value.isEmpty ? "\(name);" : "\(name): \(value)")
            }
            // Sends the content without waiting for permission.
            fields = curl_slist_append(fields, "Expect:")
            // Matches Foundation: a POST without a type is a form, and other methods have no type.
            if intake.request.method != "POST", intake.request[field: "Content-Type"] == nil {
                fields = curl_slist_append(fields, "Content-Type:")
            }
            self.exchange = exchange
            guard exchange.prepare(easy, fields, usesProxies: usesProxies),
                curl_multi_add_handle(multi, easy) == CURLM_OK
            else {
                exchange.end(.failed(URLError(.badURL)))
                return exchange.outcome
            }
            // The pointer is valid as long as the stop has it: `handle` waits for a call that uses it.
            let waiting = UInt(bitPattern: multi)
            stop.handle { _ in curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: waiting)) }
            wait(for: exchange, until: stop)
            stop.handle(nil)
            // Without a response, libcurl may still be looking up the name, and closing here would wait for it.
            if exchange.outcome.response != nil {
                curl_multi_remove_handle(multi, easy)
                isIdle = true
            }
            return exchange.outcome
        }

        /// Runs libcurl until the response is complete, its reader wants no more, or time is up.
        private func wait(for exchange: CurlExchange, until stop: TransferStop) {
            var running: Int32 = 0
            while true {
                if let error = stop.error { return exchange.end(error) }
                guard curl_multi_perform(multi, &running) == CURLM_OK else {
                    return exchange.end(.failed(URLError(.unknown)))
                }
                if running == 0 {
                    var left: Int32 = 0
                    let message = curl_multi_info_read(multi, &left)
                    return exchange.complete(message?.pointee.data.result ?? CURLE_FAILED_INIT)
                }
                guard let remaining = exchange.remaining(easy) else { return }
                curl_multi_poll(multi, nil, 0, remaining, nil)
            }
        }
    }

    /// One exchange: a request and its response.
    private final class CurlExchange {
        private var intake: TransferIntake
        /// The incomplete head.
        private var status = 0
        private var fields: [String: String] = [:]
        private var cookies: [String] = []
        private var headBytes = 0
        /// The bytes sent, and the encoded bytes of content received.
        private var sentBytes: curl_off_t = 0
        private let transportBytes = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        private var isEnded = false
        /// One call of libcurl delivers thousands of parts, so each part checks the stop.
        private let stop: TransferStop

        init(_ intake: TransferIntake, until stop: TransferStop) {
            self.intake = intake
            self.stop = stop
            transportBytes.initialize(to: 0)
        }

        deinit { transportBytes.deallocate() }

        var outcome: TransferOutcome { intake.outcome }

        private var request: TransferRequest { intake.request }

        /// Ends the exchange unless it has already ended.
        func end(_ error: TransferError?) {
            guard !isEnded else { return }
            isEnded = true
            intake.end(error)
        }

        /// The milliseconds until the deadline, at least one. Past the deadline, ends the exchange and returns nil.
        func remaining(_ easy: UnsafeMutableRawPointer) -> Int32? {
            let sent = curl_sent_bytes(easy)
            if sent != sentBytes {
                sentBytes = sent
                intake.noteProgress()
            }
            guard transportBytes.pointee <= request.limits.transportBytes else {
                end(.bodyTooLarge(limit: request.limits.bodyBytes))
                return nil
            }
            let remaining = intake.deadline.map { $0 - .now } ?? .seconds(3600)
            guard remaining > .zero else {
                end(.silent(intake.silence))
                return nil
            }
            let (seconds, attoseconds) = remaining.components
            return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
        }

        /// Configures a libcurl handle to send the request and to deliver the response here.
        func prepare(
            _ easy: UnsafeMutableRawPointer, _ fields: UnsafeMutablePointer<curl_slist>?, usesProxies: Bool
        ) -> Bool {
            let target = Unmanaged.passUnretained(self).toOpaque()
            var results = [
                curl_set_string(easy, CURLOPT_URL, request.url.absoluteString),
                curl_set_http_only(easy),
                // A response must have a status line.
                curl_set_long(easy, CURLOPT_HTTP09_ALLOWED, 0),
                curl_set_pointer(easy, CURLOPT_HTTPHEADER, fields),
                // Signals and threads do not mix; see `withoutPipeSignal`.
                curl_set_long(easy, CURLOPT_NOSIGNAL, 1),
                // A proxy's response is not the server's.
                curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
                curl_count_received(easy, transportBytes),
                curl_set_pointer(easy, CURLOPT_HEADERDATA, target),
                curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, target in
                    CurlExchange.of(target).receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
                curl_set_pointer(easy, CURLOPT_WRITEDATA, target),
                curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, target in
                    CurlExchange.of(target).receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
                },
            ]
            if request[field: "Accept-Encoding"] == nil {
                // Accepts every coding that libcurl knows. libcurl delivers decoded content, so decoded bytes are
                // counted.
                results.append(curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, ""))
            }
            if !usesProxies { results.append(curl_set_string(easy, CURLOPT_NOPROXY, "*")) }
            switch request.method {
            case "GET" where request.body == nil: break
            case "HEAD": results.append(curl_set_long(easy, CURLOPT_NOBODY, 1))
            case let method:
                results.append(curl_set_string(easy, CURLOPT_CUSTOMREQUEST, method))
                guard request.body != nil || ["POST", "PUT", "PATCH"].contains(method) else { break }
                let body = request.body ?? Data()
                // The size comes first: libcurl copies that many bytes.
                results.append(curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
                results.append(
                    body.withUnsafeBytes { bytes in
                        withUnsafePointer(to: 0 as UInt8) { none in
                            curl_set_pointer(
                                easy, CURLOPT_COPYPOSTFIELDS,
                                UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(none)))
                        }
                    })
            }
            return results.allSatisfy { $0 == CURLE_OK }
        }

        private static func of(_ target: UnsafeMutableRawPointer?) -> CurlExchange {
            // The pointer that `prepare` passed to libcurl.
            Unmanaged<CurlExchange>.fromOpaque(target.unsafelyUnwrapped).takeUnretainedValue()
        }

        /// Receives a line of a head.
        private func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Int {
            intake.noteProgress()
            headBytes += bytes.count
            guard headBytes <= request.limits.headBytes else {
                end(.headTooLarge(limit: request.limits.headBytes))
                return 0
            }
            // Trailer fields are not used.
            guard outcome.response == nil else { return bytes.count }
            let line = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
            if line.isEmpty {
                receiveHeadEnd()
            } else if line.hasPrefix("HTTP/") {
                status = Int(line.split(separator: " ", maxSplits: 2).dropFirst().first ?? "") ?? 0
            } else if let colon = line.firstIndex(of: ":") {
                let name = line[..<colon].lowercased()
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                if name == "set-cookie" { cookies.append(value) }
                if fields[name] != nil { fields[name]? += ", " + value } else { fields[name] = value }
            }
            return bytes.count
        }

        /// The fields of an interim response are dropped (RFC 9110, section 15.2).
        private func receiveHeadEnd() {
            if status >= 200 {
                intake.receive(status: status, fields: fields, cookies: cookies, from: request.url)
            } else {
                (fields, cookies) = ([:], [])
            }
        }

        /// Receives a part of the content.
        private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
            if let error = stop.error {
                end(error)
                return 0
            }
            switch intake.receive(bytes) {
            case .more: return bytes.count
            case .enough: end(nil)
            case .over(let error): end(error)
            }
            return 0
        }

        /// Records how libcurl ended the exchange.
        func complete(_ result: CURLcode) {
            guard result != CURLE_OK else { return end(nil) }
            // Either code means a line that is too long for libcurl. The second code is new in version 8.6.
            if outcome.response == nil, result == CURLE_OUT_OF_MEMORY || result.rawValue == 100 {
                return end(.headTooLarge(limit: request.limits.headBytes))
            }
            let hasAnswer = outcome.response != nil
            let code: URLError.Code =
                switch result {
                case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .cannotFindHost
                case CURLE_COULDNT_CONNECT: .cannotConnectToHost
                case CURLE_URL_MALFORMAT: .badURL
                case CURLE_SSL_CONNECT_ERROR: .secureConnectionFailed
                case CURLE_PEER_FAILED_VERIFICATION: .serverCertificateUntrusted
                case CURLE_OPERATION_TIMEDOUT: .timedOut
                case CURLE_BAD_CONTENT_ENCODING: .cannotDecodeContentData
                case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE: .networkConnectionLost
                // For example, data that is not HTTP: before the response, or in the chunks of its content.
                default: hasAnswer ? .cannotParseResponse : .badServerResponse
                }
            end(
                .failed(
                    URLError(code, userInfo: [NSLocalizedDescriptionKey: String(cString: curl_easy_strerror(result))])))
        }
    }
#endif
