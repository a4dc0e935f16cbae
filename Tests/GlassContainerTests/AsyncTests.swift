import Testing

@testable import GlassContainer

extension Container {
    fileprivate var slow: AsyncFactory<LiveNetworking> {
        let counter = Container.made
        return asynchronous {
            await Task.yield()
            return LiveNetworking(counter)
        }
    }
    @TaskLocal fileprivate static var made: Counter?
}

private struct Interrupted: Error {}

@Suite(.timeLimit(.minutes(5))) struct AsyncTests {
    let container = Container()

    @Test func aHundredTasksGetOneInstance() async throws {
        let counter = Counter()
        let ids = try await Container.$made.withValue(counter) {
            try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<100 { group.addTask { try await container.slow().id } }
                return try await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
            }
        }
        #expect(ids.count == 1)
        #expect(counter.madeCount == 1)
    }

    @Test func aTypeIsReadByAwaitFirstAndByGetThen() async throws {
        container.registerAsync((any Networking).self, file: "App/Setup.swift", line: 3) { _ in
            await Task.yield()
            return LiveNetworking()
        }
        #expect {
            try container.require((any Networking).self)
        } throws: { error in
            "\(error)" == """
                Networking is made asynchronously and is not there yet
                  Networking is registered at App/Setup.swift:3
                  hint: await it first, with resolveAsync((any Networking).self)
                """
        }
        let child = Container(parent: container)
        let networking: any Networking = try await child.resolveAsync()
        #expect(container.get((any Networking).self).id == networking.id)
        #expect(try await container.resolveAsync((any Networking).self).id == networking.id)
    }

    @Test func whatIsMadeAtOnceCanBeAwaitedToo() async throws {
        container.register(A.self) { A() }
        #expect(try await container.resolveAsync(A.self) === container.get(A.self))
    }

    @Test func everyWaiterGetsTheErrorAndTheNextCallTriesAgain() async throws {
        let attempts = Counter()
        container.registerAsync(A.self) { _ in
            attempts.increment()
            await Task.yield()
            if attempts.madeCount == 1 { throw Broken() }
            return A()
        }
        await #expect(throws: ContainerError.self) { try await container.resolveAsync(A.self) }
        _ = try await container.resolveAsync(A.self)
        #expect(attempts.madeCount == 2)
    }

    @Test func anAsynchronousCycleShowsItsPath() async {
        container.registerAsync(A.self) { container in
            _ = try await container.resolveAsync(B.self)
            return A()
        }
        container.registerAsync(B.self) { container in
            _ = try await container.resolveAsync(A.self)
            return B()
        }
        await #expect {
            try await container.resolveAsync(A.self)
        } throws: { error in
            guard case .cyclic(let path) = error as? ContainerError else { return false }
            return path.map(\.description) == ["A", "B", "A"]
        }
    }

    @Test func aCycleOfTwoTasksEndsInAnErrorAndNotInWaiting() async {
        for _ in 0..<50 {
            let container = Container()
            container.registerAsync(A.self) { container in
                await Task.yield()
                _ = try await container.resolveAsync(B.self)
                return A()
            }
            container.registerAsync(B.self) { container in
                await Task.yield()
                _ = try await container.resolveAsync(A.self)
                return B()
            }
            let first = Task { try await container.resolveAsync(A.self) }
            let second = Task { try await container.resolveAsync(B.self) }
            await #expect(throws: ContainerError.self) { try await first.value }
            await #expect(throws: ContainerError.self) { try await second.value }
        }
    }

    /// Some libraries say with an error of their own that they were cancelled.
    @Test(arguments: [CancellationError() as any Error, Interrupted()])
    func aCancelledBuilderLeavesTheBuildingToAnother(error: any Error) async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let attempts = Counter()
        container.registerAsync(A.self) { _ in
            attempts.increment()
            if attempts.madeCount == 1 {
                started.continuation.yield()
                while !Task.isCancelled { await Task.yield() }
                throw error
            }
            return A()
        }
        let first = Task { try await container.resolveAsync(A.self) }
        for await _ in started.stream { break }
        let second = Task { try await container.resolveAsync(A.self) }
        let entry = container.store.entry(type: A.self, name: nil)
        while container.store.read({ entry.asyncBuild?.waiterCount }) != 1 { await Task.yield() }
        first.cancel()
        _ = try await second.value
        if error is CancellationError {
            await #expect(throws: CancellationError.self) { try await first.value }
        } else {
            await #expect(throws: ContainerError.self) { try await first.value }
        }
        #expect(attempts.madeCount == 2)
    }

    @Test func asynchronousBuildsAreInTheGraph() async throws {
        container.register(B.self) { B() }
        container.registerAsync(A.self) { container in
            _ = try await container.slow()
            return A()
        }
        _ = try await container.resolveAsync(A.self)
        #expect(container.recordedEdges.map(\.description) == ["A → LiveNetworking (slow)"])
    }
}
