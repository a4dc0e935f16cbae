/// Values by the parameter that a factory takes.
///
/// Most factories take none. Their value is found without hashing, and a process without other factories never makes the
/// type of the dictionary, for which the runtime searches all conformances.
struct ByParameter<Value> {
    private var alone: Value?
    private var others: [AnyHashable: Value] = [:]

    /// The value for a parameter, where nil stands for none.
    subscript(parameter: AnyHashable?) -> Value? {
        get {
            guard let parameter else { return alone }
            return others[parameter]
        }
        set {
            if let parameter { others[parameter] = newValue } else { alone = newValue }
        }
    }

    var isEmpty: Bool { alone == nil && others.isEmpty }

    /// The values, in no particular order.
    var values: [Value] {
        others.isEmpty ? alone.map { [$0] } ?? [] : Array(others.values) + (alone.map { [$0] } ?? [])
    }

    /// Puts a value in the place of the one before, which is returned.
    mutating func replace(_ parameter: AnyHashable?, with value: Value) -> Value? {
        defer { self[parameter] = value }
        return self[parameter]
    }
}
