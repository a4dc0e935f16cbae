import GlassBase
import GlassSchema
import Testing

/// The one walk over trees.
struct VisitingTests {
    private static let tree = ConfigurationNode(
        .map([
            "b": ConfigurationNode(.list(values: [.integer(1), .map(values: ["c": .integer(2)])])),
            "a": ConfigurationNode(
                .varied(
                    VariedValue([
                        VariedValue.Alternative(
                            .test("build", .oneOf([.text("debug")])), ConfigurationNode(.integer(3))),
                        VariedValue.Alternative(.always, nil),
                    ]))),
            "d": ConfigurationNode(.directive(MergeDirective(.append([ConfigurationNode(.integer(4))])))),
            "e": ConfigurationNode(
                .directive(
                    MergeDirective(
                        .vary(
                            [MergeDirective.Choice(when: nil, value: ConfigurationNode(.integer(5)))],
                            isPerLocale: false)
                    ))),
        ]))

    @Test(arguments: [
        (VisitedParts(), ["", "a", "b", "d", "e"]),
        (.lists, ["", "a", "b", "b[1]", "b[2]", "b[2].c", "d", "e"]),
        // The values of an alternative and of a choice have the path of their key.
        (.alternatives, ["", "a", "a", "b", "d", "e"]), (.directives, ["", "a", "b", "d", "d[1]", "e", "e"]),
    ])
    func partsAreVisitedInOrder(parts: VisitedParts, expected: [String]) {
        var paths: [String] = []
        Self.tree.visit(parts) { visited in
            paths.append(visited.path.description)
            return true
        }
        #expect(paths == expected)
    }

    @Test func nothingInsideIsVisitedIfTheClosureRefuses() {
        var paths: [String] = []
        Self.tree.visit([.lists, .directives, .alternatives], at: "root") { visited in
            paths.append(visited.path.description)
            return visited.path == "root" || visited.path.lastKey == "d"
        }
        #expect(paths == ["root", "root.a", "root.b", "root.d", "root.d[1]", "root.e"])
    }

    @Test func conditionsAreThoseOfTheAlternativesAround() {
        var conditions: [[Condition]] = []
        Self.tree.visit(.alternatives) { visited in
            if case .integer = visited.node.value { conditions.append(visited.conditions) }
            return true
        }
        #expect(conditions == [[.test("build", .oneOf([.text("debug")]))]])
    }

    @Test func errorEndsTheVisit() {
        struct Full: Error {}
        var count = 0
        #expect(throws: Full.self) {
            try Self.tree.visit(.lists) { _ throws(Full) in
                count += 1
                if count == 3 { throw Full() }
                return true
            }
        }
        #expect(count == 3)
    }

    @Test func containsLooksOnlyIntoTheParts() {
        func isTwo(_ node: ConfigurationNode) -> Bool { node.value == .integer(2) }
        #expect(Self.tree.contains(.lists, where: isTwo) && !Self.tree.contains(.directives, where: isTwo))
        #expect(Self.tree.isVaried && !ConfigurationNode(.list(values: [.integer(1)])).isVaried)
    }
}

/// Names, texts, and numbers as Lua.
struct LuaTextTests {
    @Test(arguments: [
        ("name", "name"), ("_x1", "_x1"), ("end", "[\"end\"]"), ("goto", "[\"goto\"]"), ("1a", "[\"1a\"]"),
        ("fr-CA", "[\"fr-CA\"]"), ("", "[\"\"]"), ("a\"b", "[\"a\\\"b\"]"), ("é", "[\"é\"]"),
        ("a\u{202E}", "[\"a\\u{202e}\"]"),
    ])
    func keyHasQuotesIfItIsNoName(key: String, expected: String) { #expect(key.luaKey == expected) }

    @Test func numberStaysWhatItIs() {
        #expect(
            [1.0, 0.5, 1e300, .nan, .infinity, -.infinity].map(\.luaNumber) == [
                "1.0", "0.5", "1e+300", "0/0", "math.huge", "-math.huge",
            ])
        #expect([Int64.min, -1, Int64.max].map(\.luaNumber) == ["math.mininteger", "-1", "9223372036854775807"])
    }

    @Test func tableHasItsKeysInByteOrder() {
        let value = ConfigurationValue.map(values: ["b": .list(values: []), "a": .map(values: ["end": .string("x\n")])])
        #expect(value.sourceText == "{ a = { [\"end\"] = \"x\\n\" }, b = {} }")
    }
}
