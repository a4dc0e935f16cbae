import GlassBase

/// The wait-for graph of builds in progress, across all containers.
///
/// It contains only threads that are about to wait while they're building, because others may wait for what they build.
/// The one that would close a cycle finds it, because the graph is searched and changed under one lock.
///
/// There are no false positives: a wait is in the graph from before its thread sleeps until the thread has woken up and
/// withdrawn it. During that time, the builds of the thread can't end. So all waits of a cycle exist at the same time,
/// each for a build that only another one of their threads could end.
struct WaitGraph: Sendable {
    static let all = WaitGraph()

    /// A build that the waiting thread has begun but not ended, and its position among the steps.
    struct Part {
        let build: ObjectIdentifier
        /// The number of steps before it.
        let depth: Int
    }

    fileprivate struct Wait {
        let number: Int
        let parts: [Part]
        /// The services being built, outermost first, for messages.
        let steps: [ResolutionStep]
        let build: ObjectIdentifier

        func part(_ build: ObjectIdentifier) -> Part? { parts.first { $0.build == build } }
    }

    fileprivate struct State: Sendable {
        var waits: [Wait] = []
        var count = 0
    }

    private let state = Lock(State())

    /// Adds a wait for a build. Throws if it would close a cycle.
    ///
    /// Complexity: O(*n*) for *n* waits.
    func announce(
        _ build: AnyObject, parts: [Part], steps: [ResolutionStep]
    ) throws(ContainerError) -> Int {
        // Searching and adding are one step under the lock, or two waits that close a cycle together could each miss
        // the other.
        let (number, circle): (Int, [Wait]) = state.withLock { state in
            state.count += 1
            let wait = Wait(number: state.count, parts: parts, steps: steps, build: ObjectIdentifier(build))
            let circle = state.circle(from: wait)
            if circle.isEmpty { state.waits.append(wait) }
            return (state.count, circle)
        }
        guard let last = circle.last else { return number }
        // Each wait contributes the steps from the build that another wait is for to the end of its own path.
        var awaited = last.build
        var cycle: [ResolutionStep] = []
        for wait in circle {
            cycle += wait.steps.dropFirst(wait.part(awaited)?.depth ?? 0)
            awaited = wait.build
        }
        if cycle.isEmpty {
            throw .misuse(
                "containers wait for each other: on two threads, each one's autoRegister() resolves from the other\n  "
                    + "hint: only register in autoRegister(), and resolve in factories")
        }
        throw .cyclic(path: cycle + cycle.prefix(1))
    }

    /// Removes a wait that `announce` added. Call it before the waiting thread continues with its builds.
    func withdraw(_ number: Int) {
        state.withLock { state in state.waits.removeAll { $0.number == number } }
    }
}

extension WaitGraph.State {
    /// The chain of waits from `first` to a wait for a build that `first` is part of; empty if there is none.
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
