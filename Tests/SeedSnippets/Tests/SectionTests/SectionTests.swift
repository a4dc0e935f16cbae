import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SectionTests {
    @Test(arguments: Section.all)
    func theClaimsOfTheSectionHold(section: Section) throws {
        let outcome = try section.run()
        #expect(outcome.reason == .exit, "\(outcome.errors)")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(" claims hold, 0 do not"))
    }

    @Test func thereIsASectionForEachSeed() {
        let seeds = Section.all.map { $0.name.prefix(7) }
        let counts = ["Seed000", "Seed001", "Seed002", "Seed003", "Seed004"].map { seed in
            seeds.count { $0 == seed }
        }
        #expect(counts == [2, 4, 3, 9, 15])
    }

    @Test func aServiceThatNobodyRegisteredStopsWithItsName() throws {
        let outcome = try Section(name: "Seed001AppContainer").run(["unregistered"])
        #expect(outcome.reason == .uncaughtSignal)
        #expect(outcome.errors.contains("Networking is not registered"))
    }

    @Test func anUnwrappedOptionalStopsWithoutRegistration() throws {
        let outcome = try Section(name: "Seed003UnwrappedOptionals").run(["unregistered"])
        #expect(outcome.reason == .uncaughtSignal)
        #expect(outcome.output == "")
    }

    @Test func aFactoryThatStopsDoesSoInEveryBuild() throws {
        let outcome = try Section(name: "Seed003FatalErrorPromise").run(["unregistered"])
        #expect(outcome.reason == .uncaughtSignal)
        #expect(outcome.output == "")
    }

    @Test func aBrokenPromiseStopsInDebugAndIsNilInRelease() throws {
        let outcome = try Section(name: "Seed003Promises").run(["unregistered"])
        #if DEBUG
            #expect(outcome.reason == .uncaughtSignal)
            #expect(outcome.output == "")
            #expect(outcome.errors.contains("accountLoading"))
            #expect(
                outcome.errors.contains("was promised at Seed003Promises/Snippet.swift:8, and nobody registered it"))
        #else
            #expect(outcome.reason == .exit)
            #expect(outcome.status == 0)
            #expect(outcome.output == "nil\n")
        #endif
    }
}
