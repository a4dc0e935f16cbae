import GlassBase

/// Which builds in progress wait for which others, in all containers.
///
/// Entered only by who is about to sleep and holds up others meanwhile: a thread or a task that is a part of a build. Who
/// closes a circle finds it, since the graph is searched and changed under one lock.
///
/// No false alarm: a wait stays in the graph from before its thread or task sleeps until it has woken up and withdrawn it.
/// While it stands there, the builds that it is a part of cannot end. So all waits of a circle hold at once, each for a build
/// that only another one of them could end.
struct WaitGraph: Sendable {
    static let all = WaitGraph()

    /// A build that the one who waits has begun and not ended, and where it stands in what he builds.
    struct Part {
        let build: ObjectIdentifier
        /// How many of the steps come before it.
        let depth: Int
    }

    fileprivate struct Wait {
        let number: Int
        let parts: [Part]
        /// What is being built, outermost first, for messages.
        let steps: [ResolutionStep]
        let build: ObjectIdentifier

        func part(_ build: ObjectIdentifier) -> Part? { parts.first { $0.build == build } }
    }

    fileprivate struct State: Sendable {
        var waits: [Wait] = []
        var count = 0
    }

    private let state = Lock(State())

    /// Notes that somebody is about to wait for a build.
    ///
    /// Complexity: O(*n*) for *n* who wait.
    func announce(
        _ build: AnyObject, parts: [Part], steps: [ResolutionStep]
    ) throws(ContainerError) -> Int {
        // Searching and adding are one step under the one lock, or two that close a circle together would both see none.
        let (number, circle): (Int, [Wait]) = state.withLock { state in
            state.count += 1
            let wait = Wait(number: state.count, parts: parts, steps: steps, build: ObjectIdentifier(build))
            let circle = state.circle(from: wait)
            if circle.isEmpty { state.waits.append(wait) }
            return (state.count, circle)
        }
        guard let last = circle.last else { return number }
        // Each one's part of the cycle runs from the build that another one waits for to what he waits for himself.
        var awaited = last.build
        var cycle: [ResolutionStep] = []
        for wait in circle {
            cycle += wait.steps.dropFirst(wait.part(awaited)?.depth ?? 0)
            awaited = wait.build
        }
        if cycle.isEmpty {
            throw .misuse(
                "containers wait for each other: on two threads, the autoRegister() of one resolves from the other\n  "
                    + "hint: let autoRegister() register only, and factories resolve")
        }
        throw .cyclic(path: cycle + cycle.prefix(1))
    }

    /// Ends a wait that `announce` began. Comes before anything that the wait held up.
    func withdraw(_ number: Int) {
        // By number: one thread or task may wait in several containers' builds at once, by way of its child tasks.
        state.withLock { state in state.waits.removeAll { $0.number == number } }
    }
}

extension WaitGraph.State {
    /// The waits from `first` to one for a build that `first` is a part of; empty if there are none.
    fileprivate func circle(from first: WaitGraph.Wait) -> [WaitGraph.Wait] {
        var paths = [[first]]
        var seen: Set<ObjectIdentifier> = []
        while let path = paths.popLast(), let last = path.last {
            if first.part(last.build) != nil { return path }
            guard seen.insert(last.build).inserted else { continue }
            for wait in waits where wait.part(last.build) != nil { paths.append(path + [wait]) }
        }
        return []
    }
}
