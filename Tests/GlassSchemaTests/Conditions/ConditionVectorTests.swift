import GlassBase
import Testing

@testable import GlassSchema

struct ConditionVectorTests {
    /// The attributes of a row, which may all be missing.
    private func attributes(_ row: StrictJSON) -> [ContextAttribute] {
        (row["types"]?.fields ?? []).map { name, type in
            let types: [String: ContextType] = [
                "boolean": .boolean, "number": .number, "string": .text, "version": .version, "date": .date,
                "set": .set(nil),
            ]
            return ContextAttribute(name, types[type.text] ?? .text, pace: .live)
        }
    }

    private func context(_ row: StrictJSON, _ attributes: [ContextAttribute]) throws -> MarketContext {
        var context = MarketContext()
        for (name, value) in row["context"]?.fields ?? [] {
            if case .null = value { continue }
            let attribute = try #require(attributes.first { $0.name == name })
            context[name] = try attribute.value(from: value.node.value, zones: .utc)
        }
        return context
    }

    @Test(arguments: ["conditions.jsonl", "conditions_own.jsonl"])
    func conditionsHoldWhereTheyShould(file: String) throws {
        let rows = try ConditionVectors.objects(in: file)
        #expect(rows.count >= 100)
        for row in rows {
            let attributes = attributes(row)
            let id = row["id"]?.text ?? ""
            let (found, findings) = try read(row["when"]?.node.value ?? .emptyTable, attributes)
            let condition = try #require(found, "\(id): \(findings)")
            let context = try context(row, attributes)
            let expected = try #require(row["expected"]?.flag as Bool?)
            #expect(condition.holds(in: context) == expected, "\(id): \(condition) in \(context)")
            #expect(condition.canonical == condition, "\(id)")
            #expect(try read(condition.dataForm, attributes).condition == condition, "\(id)")
            let space = try ConditionSpace(attributes: attributes, conditions: [condition])
            let boxes = try space.boxes(of: condition)
            #expect(boxes.contains { space.contains(context, in: $0) } == expected, "\(id): \(condition)")
            for box in boxes { #expect(condition.holds(in: space.context(in: box)), "\(id): \(condition)") }
        }
    }

    @Test func versionsAreOrdered() throws {
        for row in try ConditionVectors.rows(of: "versions.tsv") {
            let left = ContextVersion(row[1])
            guard row[2] != "invalid" else {
                #expect(left == nil, "\(row)")
                continue
            }
            let (first, second) = (try #require(left, "\(row)"), try #require(ContextVersion(row[3]), "\(row)"))
            #expect((first < second) == (row[2] == "<"), "\(row)")
            #expect((second < first) == (row[2] == ">"), "\(row)")
            #expect((first == second) == (row[2] == "="), "\(row)")
            #expect((first.hashValue == second.hashValue) == (row[2] == "="), "\(row)")
            #expect(ContextVersion(first.description) == first, "\(row)")
        }
    }

    @Test func localesSuitThePerson() throws {
        for row in try ConditionVectors.rows(of: "locales.tsv") {
            let (wanted, offered) = (row[1].split(separator: " "), row[2].split(separator: " "))
            #expect(localeMatch(wanted: wanted.map(String.init), offered: offered.map(String.init)) == row[3], "\(row)")
        }
    }

    /// The nearest locale by the parents of CLDR, as systems and browsers choose it.
    @Test(arguments: [
        ("es-MX", "es-ES es-US", "es-US"), ("es-AR", "es-ES es-MX", "es-MX"), ("es", "es-MX es-ES", "es-ES"),
        ("es-419", "es-ES es-MX", "es-MX"), ("es-MX", "es-ES es-AR es-419", "es-419"),
        ("en-GB", "en-US en-AU", "en-AU"), ("en-IN", "en-US en-GB", "en-GB"), ("en-AT", "en-US en-DE", "en-DE"),
        ("pt-AO", "pt-BR pt-PT", "pt-PT"), ("pt-MO", "pt-BR pt-PT", "pt-PT"),
        ("zh-MO", "zh-TW zh-HK", "zh-HK"), ("zh-Hant-TW", "zh-CN zh-HK", "zh-HK"), ("zh-SG", "zh-TW zh-CN", "zh-CN"),
        ("fr-BE", "fr-CA fr-FR", "fr-FR"), ("no", "en-US nb-NO", "nb-NO"), ("nn-NO", "en-US nb-NO", "nb-NO"),
        ("sr-Latn-RS", "sr-RS en-US", "sr-RS"), ("hi-Latn-IN", "hi-IN en-US en-IN", "en-IN"),
    ])
    func nearestLocaleByParents(wanted: String, offered: String, expected: String) {
        let found = localeMatch(wanted: [wanted], offered: offered.split(separator: " ").map(String.init))
        #expect(found == expected)
    }

    @Test func textsAreSatisfiable() throws {
        for row in try ConditionVectors.objects(in: "strings.jsonl") {
            let tests = (row["all"]?.elements ?? []).map { test -> (atom: TextAtom, passes: Bool) in
                let inner = test["no"] ?? test
                let (kind, text) = inner.fields[0]
                let atom = TextTest.Place(rawValue: kind).map { TextAtom($0, text.text, anyCase: false) }
                return (atom ?? TextAtom(whole: text.text), test["no"] == nil)
            }
            let classes = TextClasses(tests.map(\.atom))
            #expect(classes.isSatisfiable(tests.map(\.passes)) == row["satisfiable"]?.flag, "\(row["id"]?.text ?? "")")
        }
    }

    @Test func listsAreProven() throws {
        for row in try ConditionVectors.objects(in: "reachability.jsonl") {
            let id = row["id"]?.text ?? ""
            let classes = row["classes"]?.fields ?? []
            let space = ConditionSpace(classCounts: classes.map { $0.value.number })
            let lists = (row["lists"]?.elements ?? []).map { list in
                DecisionList(
                    list.elements.map { alternative in
                        alternative.elements.map { box in
                            box.fields.reduce(ConditionBox.everything) { result, side in
                                let dimension = classes.firstIndex { $0.key == side.key } ?? 0
                                let mask = ClassMask(side.value.elements.map(\.number))
                                return result.replacing(
                                    dimension, with: mask, isAll: mask == space.classes(of: dimension))
                            }
                        }
                    }, in: space)
            }
            for (index, list) in lists.enumerated() {
                let reachable = list.alternatives.indices.map { list.witness(of: $0) != .none }
                #expect(reachable == row["reachable"]?.elements[index].elements.map { $0.flag == true }, "\(id)")
                #expect((list.gap == .none) == row["exhaustive"]?.elements[index].flag, "\(id)")
                let overlaps = list.overlaps.map { [$0.first, $0.second] }
                #expect(
                    overlaps == row["overlaps"]?.elements[index].elements.map { $0.elements.map(\.number) }, "\(id)")
            }
            var situations: Set<[Int?]> = []
            #expect(space.forEachSituation(of: lists) { winners, _ in situations.insert(winners) } == nil)
            #expect(situations.count == row["situations"]?.number, "\(id)")
        }
    }
}
