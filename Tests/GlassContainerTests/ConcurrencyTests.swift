import Synchronization
import TestSupport
import Testing

@testable import GlassContainer

#if canImport(Glibc)
    import Glibc
#endif

extension Container {
    fileprivate var single: Factory<any Networking> { self { LiveNetworking(Container.counter) }.singleton }
    fileprivate var kept: Factory<any Networking> { self { LiveNetworking(Container.counter) }.cached }
    fileprivate var weakly: Factory<LiveNetworking> { self { LiveNetworking(Container.counter) }.shared }
    fileprivate var custom: Factory<any Networking> { self { LiveNetworking(Container.counter) }.scope(.custom) }
    fileprivate var expiring: Factory<any Networking> {
        self { LiveNetworking(Container.counter) }.cached.timeToLive(60)
    }
    fileprivate var numbered: ParameterFactory<Int, any Networking> {
        self { _ in LiveNetworking(Container.counter) }.scopeOnParameters.cached
    }
    @TaskLocal fileprivate static var counter: Counter?
}

extension Scope {
    fileprivate static let custom = Cached()
}

@Suite(.serialized) struct ConcurrencyTests {
    enum Style: CaseIterable {
        case type, name, singletonType, cachedProperty, singletonProperty, child, weakProperty, customScope, expiring
        case parameter
    }

    #if DEBUG
        static let rounds = 200
        static let changes = 20_000
    #else
        static let rounds = 1_000
        static let changes = 400_000
    #endif

    /// An overtaken build still serves the callers that were waiting for it.
    @Test(.timeLimit(.minutes(1))) func buildOvertakenByResetIsReturnedToItsWaiters() {
        let container = Container()
        let counter = Counter()
        let isOvertaken = Gate(2)
        container.register((any Networking).self) {
            let networking = LiveNetworking(counter)
            if counter.madeCount == 1 { isOvertaken.arrive() }
            return networking
        }
        let entry = container.store.entry(type: (any Networking).self, name: nil)
        @Sendable func isSeen(_ isSo: (Build) -> Bool) -> Bool {
            container.store.read { entry.builds[nil].map(isSo) ?? false }
        }
        let seen = Seen(2)
        onThreads(3) { index in
            switch index {
            case 0: seen.note(container.get((any Networking).self).id, at: 0)
            case 1:
                while !isSeen({ _ in true }) { sched_yield() }
                seen.note(container.get((any Networking).self).id, at: 1)
            default:
                while !isSeen({ $0.finished != nil }) { sched_yield() }
                container.reset(options: .scope)
                isOvertaken.arrive()
            }
        }
        #expect(counter.madeCount == 1)
        #expect(seen.distinct.count == 1)
        _ = container.get((any Networking).self)
        #expect(counter.madeCount == 2)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Style.allCases)
    func eightThreadsBuildCachedServiceOnce(_ style: Style) {
        for _ in 0..<Self.rounds {
            let counter = Counter()
            let container = Container()
            let singletons = Scope.Singleton()
            container.register((any Networking).self) { LiveNetworking(counter) }
            container.register((any Networking).self, name: "n") { LiveNetworking(counter) }
            container.register((any Networking).self, name: "s", scope: singletons) { LiveNetworking(counter) }
            let seen = Seen(8)
            // Holds every weakly cached instance until all threads have theirs.
            let allHold = Gate(8)
            onThreads(8) { index in
                Container.$counter.withValue(counter) {
                    Scope.$singleton.withValue(singletons) {
                        let id =
                            switch style {
                            case .type: container.get((any Networking).self).id
                            case .name: container.get((any Networking).self, name: "n").id
                            case .singletonType: container.get((any Networking).self, name: "s").id
                            case .cachedProperty: container.kept().id
                            case .singletonProperty: container.single().id
                            case .child: Container(parent: container).get((any Networking).self).id
                            case .customScope: container.custom().id
                            case .expiring: container.expiring().id
                            case .parameter: container.numbered(1).id
                            case .weakProperty:
                                {
                                    let networking = container.weakly()
                                    allHold.arrive()
                                    return withExtendedLifetime(networking) { networking.id }
                                }()
                            }
                        seen.note(id, at: index)
                    }
                }
            }
            #expect(counter.madeCount == 1)
            #expect(seen.distinct.count == 1)
        }
    }

    #if os(Linux)
        /// In its own process, so that nothing else allocates.
        @Test(
            .enabled(if: Sanitizer.name == nil, "a sanitizer's allocator retains freed memory"),
            .timeLimit(.minutes(5)))
        func changesDoNotGrowMemory() async {
            await #expect(processExitsWith: .success) {
                let container = Container()
                func change(_ count: Int) {
                    for _ in 0..<count {
                        container.register((any Networking).self, requires: []) { LiveNetworking() }
                        _ = container.get((any Networking).self)
                        container.kept.register { LiveNetworking() }
                        _ = container.kept()
                        container.manager.push()
                        container.kept.reset()
                        _ = container.kept()
                        container.manager.pop()
                    }
                }
                change(1_000)
                // A leak grows in every round; the allocator's own growth varies and does not.
                let growth = (0..<3).map { _ in
                    let before = residentPages()
                    change(ConcurrencyTests.changes)
                    return residentPages() - before
                }
                // Half a megabyte is at most one byte for every two changes in a release build.
                precondition(growth.contains { $0 < 128 }, "grew by \(growth) pages")
            }
        }
    #endif

    @Test(.timeLimit(.minutes(1)))
    func readersSurviveReplacementAndReset() {
        let counter = Counter()
        let container = Container()
        container.register((any Networking).self) { LiveNetworking(counter) }
        onThreads(4) { index in
            for round in 0..<2_000 {
                if index == 0 {
                    container.register((any Networking).self) { LiveNetworking(counter) }
                } else if index == 1, round % 4 == 0 {
                    container.register(Int.self, name: "\(round)") { round }
                } else {
                    _ = container.get((any Networking).self).id
                }
            }
        }
        #expect(container.get(Int.self, name: "1996") == 1996)
        container.reset()
        #expect(counter.liveCount == 0)
    }

    @Test(.timeLimit(.minutes(1)))
    func threadsSharingFailedBuildAllGetItsError() {
        let container = Container()
        let allCame = Gate(4)
        container.register((any Networking).self) { _ -> LiveNetworking in throw Broken() }
        onThreads(4) { _ in
            allCame.arrive()
            #expect(throws: ContainerError.self) { try container.require((any Networking).self) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func callAfterFailedBuildTriesAgain() throws {
        let container = Container()
        let attempts = Counter()
        container.register((any Networking).self) { _ -> LiveNetworking in
            attempts.increment()
            if attempts.madeCount == 1 { throw Broken() }
            return LiveNetworking()
        }
        #expect(throws: ContainerError.self) { try container.require((any Networking).self) }
        _ = try container.require((any Networking).self)
        _ = try container.require((any Networking).self)
        #expect(attempts.madeCount == 2)
    }

    @Test(.timeLimit(.minutes(1)))
    func cycleAcrossTwoThreadsIsReportedWithPath() {
        for _ in 0..<50 {
            let container = Container()
            let bothBuild = Gate(2)
            container.register(A.self) { container in
                bothBuild.arrive()
                _ = try container.require(B.self)
                return A()
            }
            container.register(B.self) { container in
                bothBuild.arrive()
                _ = try container.require(A.self)
                return B()
            }
            onThreads(2) { index in
                do throws(ContainerError) {
                    if index == 0 { _ = try container.require(A.self) } else { _ = try container.require(B.self) }
                    Issue.record("a cycle was resolved")
                } catch {
                    guard case .cyclic(let path) = error else {
                        Issue.record("\(error)")
                        return
                    }
                    let text = path.map(\.description).joined(separator: " → ")
                    #expect(text == "A → B → A" || text == "B → A → B")
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func cycleAcrossThreeThreadsIsReportedWithPath() {
        for _ in 0..<20 {
            let container = Container()
            let allBuild = Gate(3)
            container.register(A.self) { container in
                allBuild.arrive()
                _ = try container.require(B.self)
                return A()
            }
            container.register(B.self) { container in
                allBuild.arrive()
                _ = try container.require(C.self)
                return B()
            }
            container.register(C.self) { container in
                allBuild.arrive()
                _ = try container.require(A.self)
                return C()
            }
            onThreads(3) { index in
                do throws(ContainerError) {
                    switch index {
                    case 0: _ = try container.require(A.self)
                    case 1: _ = try container.require(B.self)
                    default: _ = try container.require(C.self)
                    }
                    Issue.record("a cycle was resolved")
                } catch {
                    guard case .cyclic(let path) = error else {
                        Issue.record("\(error)")
                        return
                    }
                    let text = path.map(\.description).joined(separator: " → ")
                    #expect(["A → B → C → A", "B → C → A → B", "C → A → B → C"].contains(text))
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func threadsWaitingWithoutCycleReportNone() {
        for _ in 0..<200 {
            let container = Container()
            container.register(A.self) { A() }
            container.register(B.self) { container in
                _ = container.get(A.self)
                return B()
            }
            container.register(C.self) { container in
                _ = container.get(B.self)
                _ = container.get(A.self)
                return C()
            }
            onThreads(6) { index in
                switch index % 3 {
                case 0: _ = container.get(C.self)
                case 1: _ = container.get(B.self)
                default: _ = container.get(A.self)
                }
            }
        }
    }
}

#if os(Linux)
    /// The number of resident memory pages of this process.
    private func residentPages() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        fgets(&line, 127, file)
        return String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self).split(separator: " ")
            .dropFirst()
            .first.flatMap { Int($0) } ?? 0
    }
#endif
