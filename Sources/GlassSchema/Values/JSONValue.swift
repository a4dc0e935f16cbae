/// A configuration value as JSON.
///
/// When written, a secret shows only its name, and a value that JSON cannot represent shows its kind. When read, a null
/// in an object is an absent key; anywhere else it is rejected.
package struct JSONValue: Codable {
    /// The value.
    package let value: ConfigurationValue

    /// Creates the JSON of a value.
    package init(_ value: ConfigurationValue) {
        self.value = value
    }

    /// Reads any JSON.
    package init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Name.self) {  // the only way to find out the kind
            var values: [String: ConfigurationValue] = [:]
            for key in object.allKeys where try !object.decodeNil(forKey: key) {
                values[key.stringValue] = try object.decode(JSONValue.self, forKey: key).value
            }
            value = .map(values: values)
        } else if var list = try? decoder.unkeyedContainer() {  // as above
            var values: [ConfigurationValue] = []
            while !list.isAtEnd { values.append(try list.decode(JSONValue.self).value) }
            value = .list(values: values)
        } else {
            value = try ConfigurationScalar(from: decoder).configurationValue
        }
    }

    /// Writes the JSON.
    package func encode(to encoder: any Encoder) throws {
        try ScriptValue(value).encode(to: encoder)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
