import Foundation
import GlassSchema

/// Any JSON as a value that schemas and scripts understand. A null in an object is an absent key; elsewhere it is no
/// value and refused.
struct JSONValue: Decodable {
    /// The value.
    let value: ConfigurationValue

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {  // which kind it is, is found by trying
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
            let single = try decoder.singleValueContainer()
            if let flag = try? single.decode(Bool.self) {  // as above
                value = .boolean(flag)
            } else if let number = try? single.decode(Int.self) {  // as above
                value = .integer(number)
            } else if let number = try? single.decode(Double.self) {  // as above
                value = .number(number)
            } else {
                value = .string(try single.decode(String.self))
            }
        }
    }
}
