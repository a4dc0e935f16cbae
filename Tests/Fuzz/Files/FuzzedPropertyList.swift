import Foundation
import GlassAuthoring

/// Reads bytes as an app's property list.
enum FuzzedPropertyList {
    static func check(_ input: [UInt8]) {
        do throws(PropertyList.Failure) {
            let values = try PropertyList.values(of: input)
            let count = count(of: values, depth: 0)
            precondition(count <= 2 * PropertyList.maximumValues, "\(count) values")
        } catch {
            precondition(!error.description.isEmpty)
        }
    }

    private static func count(of value: Any, depth: Int) -> Int {
        switch value {
        case let list as [Any]: list.reduce(1) { $0 + count(of: $1, depth: depth + 1) }
        case let entries as [String: Any]: entries.values.reduce(1) { $0 + 1 + count(of: $1, depth: depth + 1) }
        default: 1
        }
    }
}
