import Foundation
import GlassAuthoring
import GlassBase
import GlassMarketFiles
import GlassSchema

/// A file to import: its format, and its values as a tree.
struct ImportFile {
    /// The formats; `infoPlist` also stands for the entitlements of an app.
    enum Format {
        case association, assetLinks, infoPlist, json, plist, xcconfig

        /// Whether every value is a string, so that `4` and `YES` can be a number and a Boolean.
        var isUntyped: Bool { self == .xcconfig }
    }

    /// The largest file that is read.
    static let maximumBytes = 4 << 20

    /// The path, as the user wrote it.
    let path: String
    let format: Format
    let tree: StrictJSON

    /// Reads a file.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        let bytes: [UInt8]
        do throws(FileFailure) {
            bytes = try Descriptor.regular(path).contents(limit: Self.maximumBytes)
        } catch {
            throw CommandFailure(status: .impossible, .unreadable, "cannot read \(path): \(error.reason)")
        }
        do throws(ImportFailure) {
            (format, tree) = try Self.read(Self.withoutMark(bytes), named: path)
            try Self.checkNames(of: tree)
        } catch {
            let position = error.place.map { SourcePosition(file: path, line: $0.line, column: $0.column) }
            let message = "\(position == nil ? "\(path): " : "")\(error.message)"
            var failure = CommandFailure(
                status: .impossible,
                position.map { "\($0): \(error.message)" } ?? "\(path): \(error.message)")
            failure.findings = [Finding(.unreadable, at: position, message)]
            throw failure
        }
    }

    /// The longest name of a key that is read, in bytes: a name is compared with each key of a market.
    static let maximumNameLength = 512

    /// The bytes without the byte order mark of UTF-8, which some editors write.
    private static func withoutMark(_ bytes: [UInt8]) throws(ImportFailure) -> [UInt8] {
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw ImportFailure("begins with the byte order mark of UTF-16: save it as UTF-8")
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    private static func checkNames(of tree: StrictJSON) throws(ImportFailure) {
        for member in tree.members ?? [] {
            let length = member.key.utf8.count
            guard length <= maximumNameLength else {
                throw ImportFailure(
                    "has a name of \(length.grouped) bytes; the name of a key can have \(maximumNameLength)")
            }
            try checkNames(of: member.value)
        }
        for element in tree.arrayValue ?? [] { try checkNames(of: element) }
    }

    private static func read(_ bytes: [UInt8], named path: String) throws(ImportFailure) -> (Format, StrictJSON) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        switch name.split(separator: ".").last?.lowercased() {
        case "yaml", "yml":
            throw ImportFailure("is YAML, which import does not read: convert it to JSON with yq -o json")
        case "xcconfig": return (.xcconfig, try BuildSettings.tree(of: bytes))
        default: break
        }
        if bytes.starts(with: "bplist".utf8) { return try propertyList(bytes, name) }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if first == UInt8(ascii: "<") {
            // The head of the file tells a property list from any other XML.
            let head = bytes.prefix(4096)
            if head.firstRange(of: Array("<plist".utf8)) != nil { return try propertyList(bytes, name) }
            guard head.firstRange(of: Array("<manifest".utf8)) != nil else {
                throw ImportFailure("is XML, but not a property list")
            }
            throw ImportFailure(
                "is an Android manifest, which import does not read: write its schemes and hosts in deepLinking, and its paths in routables"
            )
        }
        let isPropertyList = name.hasSuffix(".plist") || name.hasSuffix(".entitlements")
        let oldStyle = "is an old-style property list, which import does not read: convert it with plutil -convert xml1"
        if first == UInt8(ascii: "/") { throw ImportFailure(commentFailure) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
            throw ImportFailure(
                bytes.isEmpty
                    ? "is empty"
                    : isPropertyList ? oldStyle : "has no format that import knows: JSON, a property list, or .xcconfig"
            )
        }
        let tree: StrictJSON
        do throws(StrictJSONError) {
            tree = try StrictJSON(reading: bytes, limit: maximumBytes, numbers: .all)
        } catch {
            if isPropertyList { throw ImportFailure(oldStyle) }
            let line = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst(error.line - 1).first
            let isComment = line?.dropFirst(max(0, error.column - 1)).first == UInt8(ascii: "/")
            throw ImportFailure(
                isComment ? commentFailure : error.problem.description, line: error.line, column: error.column)
        }
        return (try format(of: tree) ?? .json, tree)
    }

    private static let commentFailure = "has a comment, which JSON does not allow: remove it"

    private static func propertyList(
        _ bytes: [UInt8], _ name: String
    ) throws(ImportFailure) -> (Format, StrictJSON) {
        let values: [String: Any]
        do throws(PropertyList.Failure) {
            values = try PropertyList.values(of: bytes)
        } catch {
            throw ImportFailure(error.description)
        }
        let isOfApp = values["CFBundleIdentifier"] != nil || name.hasSuffix(".entitlements")
        return (isOfApp ? .infoPlist : .plist, try tree(of: values, depth: 0))
    }

    private static func tree(of value: Any, depth: Int) throws(ImportFailure) -> StrictJSON {
        guard depth < StrictJSON.maximumDepth else {
            throw ImportFailure("is nested deeper than \(StrictJSON.maximumDepth) levels")
        }
        switch value {
        case let text as String: return .string(text)
        case let values as [String: Any]:
            var members: [(String, StrictJSON)] = []
            for (key, value) in values { members.append((key, try tree(of: value, depth: depth + 1))) }
            return .object(members)
        case let values as [Any]:
            var elements: [StrictJSON] = []
            for value in values { elements.append(try tree(of: value, depth: depth + 1)) }
            return .array(elements)
        // Foundation's numbers convert to a Boolean and back, so the type itself decides.
        case let flag as Bool where isBoolean(value): return .boolean(flag)
        case let number as Int: return .integer(StrictJSON.Integer(number))
        case let number as Double where number.isFinite: return .number(number)
        // Dates and data have no counterpart in a market.
        default: return .null
        }
    }

    private static func isBoolean(_ value: Any) -> Bool {
        if type(of: value) == Bool.self { return true }
        guard let number = value as? NSNumber else { return false }
        return number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "c"))
            && type(of: value) != Int8.self
    }

    /// The format of JSON that has the shape of a known one; nil for any other.
    private static func format(of tree: StrictJSON) throws(ImportFailure) -> Format? {
        if let statements = tree.arrayValue {
            return !statements.isEmpty && statements.allSatisfy({ $0["relation"] != nil || $0["include"] != nil })
                ? .assetLinks : nil
        }
        if tree["applinks"] != nil { return .association }
        if let service = flagService(of: tree) {
            throw ImportFailure(
                "has flags of \(service), which import does not read: write them in flags, as the guide MovingFlags shows"
            )
        }
        return nil
    }

    /// The service that exports flags in the shape of a tree; nil for any other tree.
    private static func flagService(of tree: StrictJSON) -> String? {
        let parameters = (tree["parameters"]?.members ?? []) + (tree["parameterGroups"]?.members ?? [])
        if parameters.contains(where: { $0.value["defaultValue"] != nil || $0.value["parameters"] != nil }) {
            return "Firebase Remote Config"
        }
        let flags = tree["flags"]?.members?.map(\.value) ?? tree["items"]?.arrayValue ?? []
        if flags.contains(where: { $0["variations"]?.arrayValue != nil }) { return "LaunchDarkly" }
        if let features = tree["features"]?.arrayValue, features.contains(where: { $0["name"] != nil }),
            tree["featureStrategies"] != nil || features.contains(where: { $0["strategies"] != nil })
        {
            return "Unleash"
        }
        return nil
    }
}

/// The reason why a file cannot be imported, and where.
struct ImportFailure: Error {
    /// The problem, in words that follow the name of the file.
    let message: String
    /// The line and the column, counted from 1; nil if the problem has no place.
    let place: (line: Int, column: Int)?

    init(_ message: String, line: Int, column: Int) {
        self.message = message
        place = (line, column)
    }

    /// Creates a failure without a place, such as an exceeded limit.
    init(_ message: String) {
        self.message = message
        place = nil
    }
}
