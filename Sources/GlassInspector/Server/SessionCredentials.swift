/// The credentials that authorize requests: a token that only the printed URL contains.
///
/// The page exchanges the token for a cookie with a separate secret. Scripts cannot read the cookie, other sites cannot
/// make the browser send it, and the token no longer appears in the URL.
struct SessionCredentials: Sendable {
    /// 128 random bits as 32 hexadecimal digits.
    let token: String
    /// Another 128 random bits as 32 hexadecimal digits.
    let session: String

    /// Creates both secrets with the system's cryptographically secure generator.
    init() {
        token = Self.random()
        session = Self.random()
    }

    private static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let halves: [UInt64] = [generator.next(), generator.next()]
        return halves.map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares two secrets in constant time.
    static func areEqual(_ given: String, _ known: String) -> Bool {
        let (given, known) = (Array(given.utf8), Array(known.utf8))
        guard given.count == known.count else { return false }
        return zip(given, known).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The name of the cookie. Cookies are shared between ports, so each server needs its own name.
    static func cookieName(port: UInt16) -> String { "glass-inspect-\(port)" }

    /// Whether a request's cookies contain the session.
    func hasSession(_ header: String?, port: UInt16) -> Bool {
        let name = Self.cookieName(port: port)
        return (header ?? "").split(separator: ";").contains { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == name && Self.areEqual(String(parts[1]), session)
        }
    }

    /// The session's `Set-Cookie` field.
    func setCookie(port: UInt16) -> String {
        "\(Self.cookieName(port: port))=\(session); Path=/; HttpOnly; SameSite=Strict"
    }
}
