public import GlassSchema

/// A type that a preference can have in Swift: `Bool`, `Int`, `Double`, `String`, or an app's own enumeration that is a
/// `ConfigurationChoice`. Its raw value is stored as text: `enum Theme: String, ConfigurationChoice, PreferenceValue`.
public protocol PreferenceValue: ConfigurationRepresentable {}

extension Bool: PreferenceValue {}
extension Int: PreferenceValue {}
extension Double: PreferenceValue {}
extension String: PreferenceValue {}

extension PreferenceValue {
    /// The type in the declaration of a market.
    fileprivate static func preferenceType(
        of key: String
    ) throws(PreferencesError) -> PreferencesConfiguration.PreferenceType {
        switch valueType {
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .string, .choice: .string
        default: throw .wrongType(key: key, expected: "true or false, a number or a string", found: "\(Self.self)")
        }
    }
}

extension ConfigurationScalar {
    fileprivate init?(_ value: ConfigurationValue) {
        switch value {
        case .boolean, .integer, .number, .string: self.init(validated: value)
        default: return nil
        }
    }

    fileprivate var isFinite: Bool {
        guard case .number(let number) = self else { return true }
        return number.isFinite
    }
}

extension ConfigurationValue {
    fileprivate func fits(_ type: ValueType) -> Bool {
        ConfigurationValidator.findings(in: ConfigurationNode(self), type: type, path: ConfigurationPath()).isEmpty
    }
}

extension PreferencesStorage {
    /// The value of a preference as a Swift type.
    ///
    /// - Parameters:
    ///   - type: The Swift type to read, such as `Int`.
    ///   - key: A declared key of that type.
    /// - Returns: The value, or the market's default if the stored value is not valid for the type, such as text that
    ///   is not a case of the enumeration; `nil` if there is neither.
    /// - Throws: ``PreferencesError``, including if the market declares another type.
    public func value<Value: PreferenceValue>(
        _ type: Value.Type, for key: String
    ) throws(PreferencesError) -> Value? {
        let scalar = try value(for: key)
        let type = try Value.preferenceType(of: key)
        if let declared = declared[key]?.type, declared != type {
            throw .wrongType(key: key, expected: declared.expectation, found: "\(Value.self)")
        }
        // The text may come from another version of the app, and an app's own storage may return any value.
        let candidates = [scalar, declared[key]?.default].compactMap { $0?.configurationValue }
        return candidates.first { $0.fits(Value.valueType) }.map { Value(validated: $0) }
    }

    /// Sets a preference to a Swift value.
    ///
    /// - Parameters:
    ///   - value: A value of the declared type.
    ///   - key: A declared key.
    /// - Throws: ``PreferencesError``, in which case nothing changes.
    public func set(_ value: some PreferenceValue, for key: String) throws(PreferencesError) {
        let (type, new) = (type(of: value), value.configurationValue)
        _ = try type.preferenceType(of: key)
        // A number that is not finite is outside every range; let the storage reject it with its own message.
        guard let scalar = ConfigurationScalar(new), new.fits(type.valueType) || !scalar.isFinite else {
            throw .wrongType(key: key, expected: type.valueType.expectation, found: new.found)
        }
        try set(scalar, for: key)
    }
}
