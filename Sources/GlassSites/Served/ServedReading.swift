import GlassBase
import GlassSchema

/// Converts a response to JSON.
struct ServedReading {
    let findings: ServedFileFindings

    private var file: ServedFile { findings.file }

    /// The maximum number of bytes that are read.
    func limit(_ associationSizeLimit: Int) -> Int { file.kind == .siteAssociation ? associationSizeLimit : .max }

    /// The JSON of the file; nil if a device could not read it.
    func json(limit: Int) -> StrictJSON? {
        if file.isAtOlderPlace {
            add(
                .olderPlace, "is at \(file.place), which devices try second", .warning,
                hint: "serve it at https://\(file.host)\(file.kind.path)")
        }
        switch file.content {
        case .bytes(let bytes): return json(of: bytes, limit: limit)
        case .missing(let status):
            let answer = status.map { "the server returned \($0)" } ?? "\(file.place) does not exist"
            add(.missing, "\(answer), so no link of the host opens the app", hint: exportHint)
        case .redirect(let to):
            let place = to.map { " to \($0)" } ?? ""
            add(
                .redirected,
                "the server redirects\(place.shortenedForFinding), and neither Apple's servers "
                    + "nor Android follow redirects",
                hint: "serve the file at \(file.place) itself")
        case .status(let status): add(.status, "the server returned \(status)", hint: "serve the file with status 200")
        case .tooLong(let most):
            add(.tooLarge, "has more than \(most) bytes; devices reportedly read \(limit)")
        case .unreachable(let reason): add(.unreachable, reason)
        }
        return nil
    }

    private var exportHint: String {
        let name = file.kind == .siteAssociation ? "aasa" : "assetlinks"
        return "serve the output of `glass-host export \(name) --host \(file.host)`"
    }

    private func json(of bytes: [UInt8], limit: Int) -> StrictJSON? {
        let isSigned = file.kind == .siteAssociation && SignedMessage.isOne(bytes)
        checkContentType(isSigned: isSigned)
        if file.kind == .siteAssociation, bytes.count > limit {
            add(
                .tooLarge, "has \(bytes.count) bytes, but devices reportedly read only \(limit)",
                hint: "use fewer routes or a catch-all")
            return nil
        }
        var bytes = bytes
        if isSigned {
            guard let content = SignedMessage.content(of: bytes) else {
                add(.signed, "is signed, and its content cannot be read", hint: exportHint)
                return nil
            }
            add(
                .signed, "is signed, which is unnecessary since iOS 9; the signature was not verified", .warning,
                hint: "serve the JSON itself")
            bytes = content
        }
        do throws(StrictJSONError) {
            return try StrictJSON(reading: bytes, limit: bytes.count, numbers: .all)
        } catch {
            // Other parsers may accept what this one rejects, such as a repeated member.
            add(.notJSON, "cannot be read as JSON: \(error)", hint: exportHint)
            return nil
        }
    }

    /// Android requires `application/json`; Apple's servers are known to accept other types, but not web pages.
    private func checkContentType(isSigned: Bool) {
        guard file.isServed else { return }
        guard let field = file.contentType else {
            add(.contentType, "has no content type", severity, hint: "serve it as application/json")
            return
        }
        let type = SiteInputCheck.lowercased(String(field.prefix { $0 != ";" })).filter { $0 != " " }
        if type == "application/json" || (isSigned && type == "application/pkcs7-mime") { return }
        add(
            .contentType, "has the content type \(field.shortenedForFinding)", type == "text/html" ? .error : severity,
            hint: "serve it as application/json")
    }

    private var severity: Finding.Severity { file.kind == .assetLinks ? .error : .warning }

    private func add(
        _ code: SiteFinding.Code, _ message: String, _ severity: Finding.Severity = .error, hint: String? = nil
    ) {
        findings.add(code, message, severity, hint: hint)
    }
}
