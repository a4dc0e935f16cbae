/// How much slower this build is than a release build.
///
/// The default limits of time are meant for a release build. A slower build scales them, so that a market gets the same verdict
/// in each. A limit that a user names, such as `run --timeout 1`, is never scaled.
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

    /// How many times slower Lua is, with the Swift code that it calls.
    ///
    /// Nearly all of its time passes values between the two, which is our code. What only computes is as fast in each build,
    /// because Lua itself is the system's, so a debug build lets more of that pass. Under a sanitizer the clock of Lua
    /// (`cpu_now` in `state.c`) slows down by itself, also for limits that a user names: memory is taken so slowly there that
    /// time would always run out before memory.
    package static var slowdownOfLua: Int {
        #if SANITIZED
            1
        #else
            slowdown
        #endif
    }
}
