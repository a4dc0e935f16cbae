import GlassBase

#if os(Linux)
    import CGlassSystem
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A running git process in its own process group, so that all its child processes end with it.
struct GitProcess {
    private let id: pid_t

    /// The running groups, and whether this process is about to end.
    ///
    /// The lock is held while a group starts and is added. The group is removed before its leader is reaped: until
    /// then, no other process can have its id.
    private static let running = Lock<(groups: Set<pid_t>, isOver: Bool)>(([], false))

    /// Ends all running git processes and starts no more, because this process is about to exit. A thread that waits
    /// for one keeps waiting. Otherwise it would report an error before the process is gone.
    static func endAll() {
        running.withLock { running in
            running.isOver = true
            for group in running.groups { kill(-group, SIGKILL) }
        }
    }

    /// Starts a program.
    ///
    /// The corresponding C function is `posix_spawn`. Foundation's `Process` would start the program in its parent's
    /// group.
    init(
        _ path: String, _ arguments: [String], environment: [String: String], input: CInt, output: CInt, errors: CInt
    ) throws(POSIXFailure) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
            let more = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
            let more: Int32 = 0
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (file, number) in [(input, 0), (output, 1), (errors, 2)] {
            posix_spawn_file_actions_adddup2(&actions, file, CInt(number))
        }
        // Git would inherit ignored signals, and the host ignores some because it handles them elsewhere.
        var (defaults, mask) = (sigset_t(), sigset_t())
        sigemptyset(&defaults)
        sigemptyset(&mask)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE] { sigaddset(&defaults, signal) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | more
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + variables { free(text) } }
        let (started, code, isOver) = Self.running.withLock { running -> (pid_t, Int32, Bool) in
            guard !running.isOver else { return (0, 0, true) }
            var id: pid_t = 0
            let code = posix_spawn(&id, path, &actions, &attributes, &words, &variables)
            if code == 0 { running.groups.insert(id) }
            return (id, code, false)
        }
        if isOver { Self.waitForEnd() }
        guard code == 0 else { throw POSIXFailure("run", path, code: code) }
        id = started
        limitMemory()
    }

    /// The maximum memory of git in bytes, in addition to mapped files. Normal work needs a tenth of it.
    private static let maximumMemory: UInt64 = 192 << 20

    /// Limits git's memory, because a few small files can expand to any size. An environment variable limits single
    /// allocations, but nothing limits their sum. At this point, git is just starting or has already ended.
    private func limitMemory() {
        #if os(Linux)
            _ = system_limit_data(id, Self.maximumMemory)
        #endif
    }

    /// Waits for this process to end, because another thread is about to end it.
    private static func waitForEnd() -> Never {
        while true { sleep(1) }
    }

    /// The CPU time so far; nil if the system does not report it for other processes.
    var processorTime: Duration? {
        #if canImport(Darwin)
            return nil
        #else
            var clock = clockid_t()
            var time = timespec()
            guard clock_getcpuclockid(id, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
            return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
        #endif
    }

    /// Whether git has ended. Does not reap the process.
    var hasEnded: Bool {
        var info = siginfo_t()
        // If nothing has changed, the signal number is 0.
        return waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo != 0
    }

    /// Ends the rest of the group and returns git's status: its exit code, or 128 plus the signal, as shells report it.
    func finish() -> (status: Int32, processorTime: Duration) {
        let isOver = Self.running.withLock { running in
            running.groups.remove(id)
            kill(-id, SIGKILL)
            return running.isOver
        }
        if isOver { Self.waitForEnd() }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(id, &status, 0, &usage) < 0, errno == EINTR {}
        let time = [usage.ru_utime, usage.ru_stime].reduce(Duration.zero) {
            $0 + .seconds(Int64($1.tv_sec)) + .microseconds(Int64($1.tv_usec))
        }
        let signal = status & 0x7F
        return (signal == 0 ? (status >> 8) & 0xFF : 128 + signal, time)
    }
}
