import GlassBase

/// Decodes an object of a metadata file. Errors name the path of the invalid member.
struct MetadataFields {
    /// The role of the file.
    let role: String
    /// The path of the object in the file, such as `signed.meta`.
    let place: String
    /// The object.
    let json: StrictJSON

    /// Creates the fields of a file or of an object in it.
    init(_ json: StrictJSON, role: String, place: String) throws(MetadataError) {
        self.role = role
        self.place = place
        self.json = json
        if json.members == nil { throw malformed("\(place) is not an object") }
    }

    func malformed(_ text: String) -> MetadataError { MetadataError(role, .malformed, text) }

    /// The path of a member.
    private func place(of key: String) -> String { "\(place).\(key)" }

    func required(_ key: String) throws(MetadataError) -> StrictJSON {
        guard let value = json[key] else { throw malformed("\(place(of: key)) is missing") }
        return value
    }

    func string(_ key: String) throws(MetadataError) -> String {
        guard let text = try required(key).stringValue else { throw malformed("\(place(of: key)) is not a string") }
        return text
    }

    func integer(_ key: String, atLeast least: Int) throws(MetadataError) -> Int {
        guard let number = try required(key).intValue, number >= least else {
            throw malformed("\(place(of: key)) is not an integer from \(least) to \(Int.max)")
        }
        return number
    }

    func boolean(_ key: String) throws(MetadataError) -> Bool {
        guard let value = try required(key).boolValue else {
            throw malformed("\(place(of: key)) is neither true nor false")
        }
        return value
    }

    func object(_ key: String) throws(MetadataError) -> MetadataFields {
        try MetadataFields(required(key), role: role, place: place(of: key))
    }

    func array(_ key: String) throws(MetadataError) -> [StrictJSON] {
        guard let values = try required(key).arrayValue else { throw malformed("\(place(of: key)) is not an array") }
        return values
    }

    func strings(_ key: String) throws(MetadataError) -> [String] {
        var texts: [String] = []
        for value in try array(key) {
            guard let text = value.stringValue else {
                throw malformed("\(place(of: key)) contains values other than strings")
            }
            texts.append(text)
        }
        return texts
    }

    /// The members, which must be objects, with their names, in order of the names.
    func objects() throws(MetadataError) -> [(key: String, fields: MetadataFields)] {
        var result: [(key: String, fields: MetadataFields)] = []
        for member in json.members ?? [] {
            result.append((member.key, try MetadataFields(member.value, role: role, place: place(of: member.key))))
        }
        return result
    }

    func time(_ key: String) throws(MetadataError) -> UpdateTime {
        guard let time = UpdateTime(try string(key)) else {
            throw malformed("\(place(of: key)) is not a time such as 2026-06-01T12:00:00Z")
        }
        return time
    }
}
