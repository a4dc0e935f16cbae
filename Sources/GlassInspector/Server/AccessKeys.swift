/// Who may ask: whoever was told the token, which only the URL has that the command prints.
///
/// The page exchanges the token for a cookie, which is another secret: scripts cannot read it, other sites cannot make the
/// browser send it, and the token is in the address no more.
struct AccessKeys: Sendable {
    /// 128 random bits as 32 hexadecimal digits.
    let token: String
    /// As many others.
    let session: String

    /// Draws both from the system's generator, which is a cryptographic one.
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

    /// Whether two secrets are the same, in a time that does not depend on where they differ.
    static func areEqual(_ given: String, _ known: String) -> Bool {
        let (given, known) = (Array(given.utf8), Array(known.utf8))
        guard given.count == known.count else { return false }
        return zip(given, known).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// The name of the cookie. Ports share cookies, so each server has a name of its own.
    static func cookieName(port: UInt16) -> String { "glass-inspect-\(port)" }

    /// Whether a request's cookies have the session.
    func hasSession(_ header: String?, port: UInt16) -> Bool {
        let name = Self.cookieName(port: port)
        return (header ?? "").split(separator: ";").contains { pair in
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] == name && Self.areEqual(String(parts[1]), session)
        }
    }

    /// The field `Set-Cookie` of the session.
    func setCookie(port: UInt16) -> String {
        "\(Self.cookieName(port: port))=\(session); Path=/; HttpOnly; SameSite=Strict"
    }
}
