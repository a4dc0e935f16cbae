import GlassBase

#if canImport(FoundationNetworking)
    import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Sends requests over HTTP within limits, with the caller's cookies and redirects.
///
/// Content is counted as it arrives, after decompression, so no server can exceed the limit. The sender is created for
/// the first request.
package final class HTTPTransfer: Sendable {
    /// A sender, and the parts of the configuration that the transfer handles itself.
    fileprivate struct Opened {
        let sender: any TransferSender
        let fields: [String: String]
        let silence: Duration
        let time: Duration?
        let cookies: HTTPCookieStorage?
        let sendsCookies: Bool

        init(_ configuration: URLSessionConfiguration, _ library: TransferLibrary) {
            var fields: [String: String] = [:]
            for (name, value) in configuration.httpAdditionalHeaders ?? [:] { fields["\(name)"] = "\(value)" }
            self.fields = fields
            silence = .seconds(configuration.timeoutIntervalForRequest)
            let seconds = configuration.timeoutIntervalForResource
            time = seconds > 0 ? .seconds(seconds) : nil
            cookies = configuration.httpCookieAcceptPolicy == .never ? nil : configuration.httpCookieStorage
            sendsCookies = configuration.httpShouldSetCookies
            // The transfer handles cookies itself, for redirects too. Foundation on Linux sends secure cookies over
            // http.
            configuration.httpShouldSetCookies = false
            configuration.httpCookieStorage = nil
            sender = library.makeSender(configuration)
        }
    }

    private struct State {
        var opened: Opened?
        var stops: [ObjectIdentifier: TransferStop] = [:]
        var maximumConnectionsPerHost: Int?
        var isClosed = false
    }

    private let library: TransferLibrary
    private let configuration: @Sendable () -> URLSessionConfiguration
    private let state = Lock(State())

    /// Creates a transfer that reads its configuration at the first request.
    package init(
        through library: TransferLibrary = .standard, configuration: @escaping @Sendable () -> URLSessionConfiguration
    ) {
        self.library = library
        self.configuration = configuration
    }

    deinit { close() }

    /// A configuration that keeps nothing: no cookies, no cache, no credentials.
    package static func isolated() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Sends a request.
    package func send(_ request: TransferRequest) async -> TransferOutcome {
        let stop = TransferStop()
        guard let opened = open(stop) else { return TransferOutcome(error: .closed) }
        defer { state.withLock { _ = $0.stops.removeValue(forKey: ObjectIdentifier(stop)) } }
        let alarm = (request.limits.time ?? opened.time).map { time in
            Task {
                do {
                    try await Task.sleep(for: time)
                    stop.now(.timedOut)
                } catch {}  // the response came first and canceled the alarm
            }
        }
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await follow(request, through: opened, until: stop)
        } onCancel: {
            stop.now(.cancelled)
        }
    }

    private func open(_ stop: TransferStop) -> Opened? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            let opened = state.opened ?? Opened(configuration(), library)
            if state.opened == nil, let maximum = state.maximumConnectionsPerHost {
                opened.sender.limitConnections(to: maximum)
            }
            state.opened = opened
            state.stops[ObjectIdentifier(stop)] = stop
            return opened
        }
    }

    private func follow(
        _ request: TransferRequest, through opened: Opened, until stop: TransferStop
    ) async -> TransferOutcome {
        var next = request
        var redirects = 0
        while true {
            if let error = stop.error { return TransferOutcome(error: error) }
            if let problem = next.problem { return TransferOutcome(error: .failed(problem)) }
            let intake = TransferIntake(
                opened.completed(next, isRedirect: redirects > 0), silence: request.limits.silence ?? opened.silence)
            var outcome = await opened.sender.send(intake, until: stop)
            if let response = outcome.response { opened.takeCookies(of: response) }
            guard outcome.error == nil, let response = outcome.response, request.redirects.maximum != nil,
                let target = response.redirectTarget
            else { return outcome }
            redirects += 1
            do throws(TransferError) {
                next = try request.redirects.next(next, to: target, status: response.status, number: redirects)
            } catch {
                outcome.error = error
                return outcome
            }
        }
    }

    /// Changes the number of simultaneous connections to one host. With nil, the configuration decides.
    package func limitConnections(to maximum: Int?) {
        let sender: (any TransferSender)? = state.withLock { state in
            guard state.maximumConnectionsPerHost != maximum else { return nil }
            state.maximumConnectionsPerHost = maximum
            return state.opened?.sender
        }
        sender?.limitConnections(to: maximum)
    }

    /// Ends every transfer with ``TransferError/closed`` and accepts no more.
    package func close() {
        let (stops, sender) = state.withLock { state in
            defer { state.opened = nil }
            state.isClosed = true
            return (Array(state.stops.values), state.opened?.sender)
        }
        for stop in stops { stop.now(.closed) }
        sender?.close()
    }
}

extension HTTPTransfer.Opened {
    /// The request with the configuration's fields and only the cookies that belong to its URL.
    fileprivate func completed(_ request: TransferRequest, isRedirect: Bool) -> TransferRequest {
        var request = request
        let own = Set(request.fields.keys.map { $0.lowercased() })
        for (name, value) in fields where !own.contains(name.lowercased()) { request.fields[name] = value }
        guard sendsCookies, let cookies else { return request }
        // A caller may set cookies explicitly. Cookies that a redirect copied from another URL do not count.
        guard isRedirect || request[field: "Cookie"] == nil else { return request }
        request.removeFields { $0 == "cookie" }
        let isSecure = request.url.scheme?.lowercased() == "https"
        let sent = (cookies.cookies(for: request.url) ?? []).filter { isSecure || !$0.isSecure }
        if !sent.isEmpty { request.fields["Cookie"] = HTTPCookie.requestHeaderFields(with: sent)["Cookie"] }
        return request
    }

    fileprivate func takeCookies(of response: TransferResponse) {
        guard let cookies else { return }
        for line in response.cookies {
            let taken = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: response.url)
            cookies.setCookies(taken, for: response.url, mainDocumentURL: nil)
        }
        if !response.cookies.isEmpty { cookies.postChange() }
    }
}

extension HTTPCookieStorage {
    /// Posts the notification of a change, which Foundation on Linux does not.
    package func postChange() {
        #if canImport(FoundationNetworking)
            NotificationCenter.default.post(name: .NSHTTPCookieManagerCookiesChanged, object: self)
        #endif
    }
}
