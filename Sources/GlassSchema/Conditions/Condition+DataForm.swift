extension Condition {
    /// The condition as data, which a ``ConditionReader`` reads back as an equal condition if this one is canonical.
    package var dataForm: ConfigurationValue {
        switch self {
        case .always: return .boolean(true)
        case .never: return .boolean(false)
        case .test(let name, let test): return .map(values: [name: test.dataForm])
        case .any(let conditions): return .map(values: ["any": .list(values: conditions.map(\.dataForm))])
        case .no(let condition): return .map(values: ["no": condition.dataForm])
        case .rollout(let rollout): return .map(values: [RolloutDefinition.key: rollout.dataForm])
        case .all(let conditions):
            var tests: [String: ConfigurationValue] = [:]
            for condition in conditions {
                switch condition {
                case .test(let name, let test): tests[name] = test.dataForm
                case .rollout(let rollout): tests[RolloutDefinition.key] = rollout.dataForm
                default: break
                }
            }
            // One map cannot test an attribute twice.
            return tests.count == conditions.count
                ? .map(values: tests)
                : .map(values: ["all": .list(values: conditions.map(\.dataForm))])
        }
    }
}

extension AttributeTest {
    /// The test as data.
    package var dataForm: ConfigurationValue {
        switch self {
        case .missing: .map(values: ["is": .string("missing")])
        case .present: .map(values: ["is": .string("present")])
        case .no(let test): .map(values: ["no": test.dataForm])
        case .text(let test):
            .map(
                values: [test.place.rawValue: Self.oneOrList(test.parts.map { .string($0) })]
                    .merging(test.anyCase ? ["anyCase": .boolean(true)] : [:]) { $1 })
        default: Self.oneOrList(elements)
        }
    }

    /// The elements of the list that passes what the test passes.
    private var elements: [ConfigurationValue] {
        switch self {
        case .oneOf(let values): values.map(\.dataForm)
        case .within(let names), .has(let names): names.map { .string($0) }
        case .ranges(let ranges): ranges.map { .string("\($0)") }
        case .any(let tests): tests.flatMap(\.elements)
        case .text, .missing, .present, .no: [dataForm]
        }
    }

    private static func oneOrList(_ elements: [ConfigurationValue]) -> ConfigurationValue {
        elements.count == 1 ? elements[0] : .list(values: elements)
    }
}

extension ConfigurationValue {
    /// A text that differs for data forms that differ, with the keys of maps sorted.
    var sortKey: String {
        switch self {
        case .list(let elements): "[\(elements.map(\.value.sortKey).joined(separator: ","))]"
        case .map(let entries):
            "{"
                + entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { "\($0.key.debugDescription):\($0.value.value.sortKey)" }.joined(separator: ",") + "}"
        case .string(let text): text.debugDescription
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .secret, .opaque, .directive, .varied, .emptyTable: "{}"  // not in data forms
        }
    }
}
