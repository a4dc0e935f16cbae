import GlassBase

extension StoredState {
    /// The version of the file format. A reader of another version starts over with the embedded markets.
    static let format = 1
    /// The maximum size of the file in bytes. Each market and each quarantined version takes up a few hundred bytes.
    static let limit = 256 * 1024

    /// The encoded state.
    package func bytes() -> [UInt8] {
        StrictJSON.object([
            ("format", .integer(Self.format)), ("generation", .integer(generation)), ("install", .string(install)),
            ("app", .string(app)), ("versions", .object(versions.map { ($0, .integer($1)) })),
            ("verified", .time(verified)), ("validUntil", .time(validUntil)), ("checked", .time(checked)),
            ("nextCheck", .time(nextCheck)),
            (
                "failure",
                failure.map {
                    .object([
                        ("since", .time($0.since)), ("count", .integer($0.count)),
                        // For older apps, which do not read the number.
                        ("refusal", .boolean($0.refusals > 0)), ("refusals", .integer($0.refusals)),
                        ("text", .string($0.text)),
                    ])
                } ?? .null
            ),
            (
                "timestampTag",
                timestampTag.map { .object([("value", .string($0.value)), ("digest", .string($0.digest))]) } ?? .null
            ),
            ("revoked", .array(revoked.sorted().map { .string($0) })),
            ("markets", .object(markets.map { ($0, $1.json) })),
            ("incompatible", .object(incompatible.map { ($0, .string($1)) })),
        ]).text()
    }

    /// Decodes the file.
    package init(reading bytes: [UInt8]) throws(StoreError) {
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: bytes, limit: Self.limit)
        } catch {
            throw .malformedState("\(error)")
        }
        let reader = MemberReader(json)
        let format = try reader.integer("format")
        guard format == Self.format else {
            throw .malformedState("it has the format \(format), and this app reads \(Self.format)")
        }
        self.init(install: try reader.string("install"))
        generation = try reader.integer("generation")
        app = try reader.string("app")
        versions = try reader.entries("versions") { value throws(StoreError) in
            try value.required(value.json.intValue, "a version")
        }
        verified = try reader.time("verified")
        validUntil = try reader.time("validUntil")
        checked = try reader.time("checked")
        nextCheck = try reader.time("nextCheck")
        if let failure = try reader.object("failure") {
            let isRefusal = try failure.boolean("refusal")
            self.failure = Failure(
                since: try failure.required(failure.time("since"), "a time"), count: try failure.integer("count"),
                // An older app wrote only whether there was a refusal.
                refusals: isRefusal ? failure.json["refusals"]?.intValue ?? 1 : 0, text: try failure.string("text"))
        }
        if let tag = try reader.object("timestampTag") {
            timestampTag = Tag(value: try tag.string("value"), digest: try tag.digest("digest"))
        }
        for value in json["revoked"]?.arrayValue ?? [] {
            let element = MemberReader(value)
            revoked.insert(try element.required(value.stringValue.flatMap(\.ifDigest), "a digest"))
        }
        markets = try reader.entries("markets") { value throws(StoreError) in try MarketHealth(value) }
        incompatible = try reader.entries("incompatible") { value throws(StoreError) in
            try value.required(value.json.stringValue, "a reason")
        }
    }
}

extension MarketHealth {
    fileprivate var json: StrictJSON {
        .object([
            ("active", active?.json ?? .null), ("healthy", healthy?.json ?? .null), ("pending", pending?.json ?? .null),
            ("trialStarts", trialStarts.map { .integer($0) } ?? .null), ("unhealthyStarts", .integer(unhealthyStarts)),
            (
                "quarantined",
                .object(
                    quarantined.map { digest, quarantine in
                        (
                            digest,
                            .object([
                                ("since", .time(quarantine.since)), ("reason", .string(quarantine.reason)),
                                ("unusable", .boolean(quarantine.isUnusable)),
                            ])
                        )
                    })
            ),
        ])
    }

    fileprivate init(_ reader: MemberReader) throws(StoreError) {
        self.init()
        active = try reader.object("active").map(DeliveredVersion.init)
        healthy = try reader.object("healthy").map(DeliveredVersion.init)
        pending = try reader.object("pending").map(DeliveredVersion.init)
        trialStarts = reader.json["trialStarts"]?.intValue
        unhealthyStarts = try reader.integer("unhealthyStarts")
        quarantined = try reader.entries("quarantined") { value throws(StoreError) in
            Quarantine(
                since: try value.required(value.time("since"), "a time"), reason: try value.string("reason"),
                isUnusable: try value.boolean("unusable"))
        }
    }
}

extension DeliveredVersion {
    fileprivate var json: StrictJSON {
        .object([
            ("digest", .string(digest)), ("path", .string(path)), ("length", .integer(length)),
            ("serial", serial.map { .integer($0) } ?? .null),
        ])
    }

    fileprivate init(_ reader: MemberReader) throws(StoreError) {
        self.init(
            digest: try reader.digest("digest"), path: try reader.string("path"), length: try reader.integer("length"),
            serial: reader.json["serial"]?.intValue)
    }
}

extension StrictJSON {
    fileprivate static func integer(_ value: Int) -> StrictJSON { .integer(Integer(value)) }

    fileprivate static func time(_ time: UpdateTime?) -> StrictJSON {
        time.map { .integer($0.secondsSince1970) } ?? .null
    }
}

extension String {
    /// The string, if it is a SHA-256 digest in 64 lowercase hexadecimal digits, which is therefore safe as a file
    /// name.
    var ifDigest: String? {
        let isDigest = utf8.count == 64 && utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isDigest ? self : nil
    }
}

/// Reads the members of an object of the state file.
private struct MemberReader {
    let json: StrictJSON

    init(_ json: StrictJSON) {
        self.json = json
    }

    func required<Value>(_ value: Value?, _ what: String) throws(StoreError) -> Value {
        guard let value else { throw .malformedState("\(what) is missing or has the wrong type") }
        return value
    }

    func integer(_ key: String) throws(StoreError) -> Int { try required(json[key]?.intValue, "the number \(key)") }

    func string(_ key: String) throws(StoreError) -> String {
        try required(json[key]?.stringValue, "the string \(key)")
    }

    func boolean(_ key: String) throws(StoreError) -> Bool { try required(json[key]?.boolValue, "the Boolean \(key)") }

    func digest(_ key: String) throws(StoreError) -> String {
        try required(json[key]?.stringValue?.ifDigest, "the digest \(key)")
    }

    func time(_ key: String) throws(StoreError) -> UpdateTime? {
        guard let value = json[key], value != .null else { return nil }
        return UpdateTime(secondsSince1970: try required(value.intValue, "the time \(key)"))
    }

    func object(_ key: String) throws(StoreError) -> MemberReader? {
        guard let value = json[key], value != .null else { return nil }
        _ = try required(value.members, "the object \(key)")
        return MemberReader(value)
    }

    func entries<Value>(
        _ key: String, _ make: (MemberReader) throws(StoreError) -> Value
    ) throws(StoreError) -> [String: Value] {
        var entries: [String: Value] = [:]
        for member in try required(json[key]?.members, "the object \(key)") {
            entries[member.key] = try make(MemberReader(member.value))
        }
        return entries
    }
}
