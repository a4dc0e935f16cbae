/// How fast the code of this build is, for limits of time to mean the same in each.
///
/// A limit that the house sets is meant for a release build: a market that passes there passes in a debug build, and a
/// reader of either gets the same verdict. A limit that a user names, such as `run --timeout 1`, is the user's and stays
/// as it is.
package enum BuildSpeed {
    /// How many times slower the code of this build is than that of a release.
    package static var slowdown: Int {
        #if SANITIZED
            // A sanitizer's instructions count as the program's own. ThreadSanitizer makes a program 5 to 15 times slower,
            // says its manual.
            8
        #elseif DEBUG
            // Code that is not optimized is several times slower: markets of 64 KB, full of values or of routes, take 3.1 to
            // 4.1 times the time of a release, that of their Lua included (`check --verbose`).
            4
        #else
            1
        #endif
    }

    /// The same for what Lua runs and calls. Nearly all of it is the passing of values, by our code; what only computes is as
    /// fast in each build, because Lua itself is the system's, and a debug build lets more of it pass. Its clock, `cpu_now` of `state.c`, counts slower under a sanitizer itself, for
    /// limits that are named too: taking memory is so slow there that time would always run out before memory.
    package static var slowdownOfLua: Int {
        #if SANITIZED
            1
        #else
            slowdown
        #endif
    }
}
