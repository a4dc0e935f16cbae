import GlassContainer
import Testing

extension Container {
    fileprivate var first: Factory<A> {
        self {
            _ = self.second()
            return A()
        }
    }
    fileprivate var second: Factory<B> {
        self {
            _ = self.first()
            return B()
        }
    }
    fileprivate var byType: Factory<any Networking> { registered() }
}

private enum Elsewhere {
    protocol Networking {}
}

/// The standard error output of a process before it trapped.
private func text(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
}

@Suite struct ErrorTests {
    let container = Container()

    private func error(_ body: () throws(ContainerError) -> Void) -> ContainerError? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test func missingServiceErrorSuggestsNearest() {
        container.register((any MediaNetworking).self) { LiveNetworking() }
        container.register((any Analytics).self, LiveAnalytics.init)
        let error = error { () throws(ContainerError) in _ = try container.require((any Networking).self) }
        #expect(
            error?.description == """
                Networking is not registered
                  nearest: MediaNetworking
                  hint: register((any Networking).self) { … } before resolving it, or use getIfRegistered()
                """)
    }

    @Test func missingNameErrorListsOtherNamesOfType() {
        container.register(Int.self, name: "limit") { 1 }
        let error = error { () throws(ContainerError) in _ = try container.require(Int.self, name: "limits") }
        #expect(
            error?.description == """
                Int named "limits" is not registered
                  nearest: Int named "limit"
                  hint: register(Int.self, name: "limits") { … } before resolving it, or use getIfRegistered()
                """)
    }

    @Test func equalNamesOfTwoModulesAreQualified() {
        container.register((any Elsewhere.Networking).self) { fatalError("never created") }
        let error = error { () throws(ContainerError) in _ = try container.require((any Networking).self) }
        #expect(error?.description.hasPrefix("GlassContainerTests.Networking is not registered\n  nearest: ") == true)
    }

    @Test func missingDependencyErrorHasPath() {
        container.register(A.self, file: "App/Setup.swift", line: 12) { container in
            _ = try container.require(B.self)
            return A()
        }
        container.register(C.self, file: "App/Setup.swift", line: 13) { container in
            _ = try container.require(A.self)
            return C()
        }
        let error = error { () throws(ContainerError) in _ = try container.require(C.self) }
        #expect(
            error?.description == """
                B is not registered
                  path: C → A → B
                  A is registered at App/Setup.swift:12
                  hint: register(B.self) { … } before resolving it, or use getIfRegistered()
                """)
    }

    @Test func cycleErrorHasOnlyThePathOfTheCycle() {
        container.register(C.self, file: "App/Setup.swift", line: 1) { container in
            _ = try container.require(A.self)
            return C()
        }
        container.register(A.self, file: "App/Setup.swift", line: 2) { container in
            _ = try container.require(B.self)
            return A()
        }
        container.register(B.self, scope: .unique, file: "App/Setup.swift", line: 3) { container in
            _ = try container.require(A.self)
            return B()
        }
        let error = error { () throws(ContainerError) in _ = try container.require(C.self) }
        #expect(
            error?.description == """
                A → B → A is a cycle
                  A is registered at App/Setup.swift:2
                  B is registered at App/Setup.swift:3
                  hint: resolve one of them lazily, or move the shared part to a third service
                """)
    }

    @Test func errorOfThrowingFactoryHasPath() {
        container.register(B.self, file: "App/Setup.swift", line: 2) { throw Broken() }
        container.register(A.self) { container in
            _ = try container.require(B.self)
            return A()
        }
        let error = error { () throws(ContainerError) in _ = try container.require(A.self) }
        #expect(
            error?.description == """
                the factory of B threw: no disk
                  path: A → B
                  B is registered at App/Setup.swift:2
                """)
        guard case .failed(_, let underlying) = error else {
            Issue.record("not a failure")
            return
        }
        #expect(underlying is Broken)
    }

    @Test func factoryMayCatchMissingServiceError() throws {
        container.register(A.self) { container in
            #expect(throws: ContainerError.self) { try container.require(B.self) }
            return A()
        }
        _ = try container.require(A.self)
    }

    @Test func serviceMayBeResolvedAgainAfterCycle() throws {
        container.register(A.self) { container in
            #expect(throws: ContainerError.self) { try container.require(A.self) }
            return A()
        }
        let first = try container.require(A.self)
        #expect(try container.require(A.self) === first)
    }

    @Test func getTrapsWithPathIfServiceIsMissing() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.register((any MediaNetworking).self) { LiveNetworking() }
            container.register((any Analytics).self, file: "App/Setup.swift", line: 7, LiveAnalytics.init)
            _ = container.get((any Analytics).self)
        }
        #expect(
            text(result).contains(
                """
                Fatal error: Networking is not registered
                  path: Analytics → Networking
                  Analytics is registered at App/Setup.swift:7
                  nearest: MediaNetworking
                  hint: register((any Networking).self) { … } before resolving it, or use getIfRegistered()
                """))
    }

    @Test func getOfOptionalResultTraps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let networking: (any Networking)? = Container().get()
            _ = networking
        }
        #expect(text(result).contains("Fatal error: Networking is not registered\n  hint: "))
    }

    @Test func cycleOfPropertiesTrapsWithPath() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container().first()
        }
        #expect(
            text(result).contains(
                """
                Fatal error: A (first) → B (second) → A (first) is a cycle
                  A (first) is registered at GlassContainerTests/ErrorTests.swift:6
                  B (second) is registered at GlassContainerTests/ErrorTests.swift:12
                  hint: resolve one of them lazily, or move the shared part to a third service
                """))
    }

    @Test func getTrapsWithErrorOfThrowingFactory() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = Container()
            container.register(A.self, file: "App/Setup.swift", line: 7) { throw Broken() }
            _ = container.get(A.self)
        }
        #expect(
            text(result).contains(
                "Fatal error: the factory of A threw: no disk\n  A is registered at App/Setup.swift:7"))
    }

    @Test func optionalCannotBeRegistered() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            Container().register((any Networking)?.self, file: "App/Setup.swift", line: 7) { nil }
        }
        #expect(
            text(result).contains(
                "Fatal error: Optional<Networking> is registered at App/Setup.swift:7, but an optional cannot be a service: "
                    + "register the wrapped type, and read it with getIfRegistered()"))
    }

    @Test func registeredFactoryTakesNoScope() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Container().byType.singleton
        }
        #expect(
            text(result).contains(
                "Fatal error: registered() of Networking takes no scope, because its registration has one: "
                    + "write register((any Networking).self, scope: .singleton)"))
    }
}
