/// The factor by which this build is slower than a release build.
///
/// Default time limits are those of a release build. A slower build scales them, so that a market gets the same result
/// in every build. A limit that the user sets, such as `run --timeout 1`, is never scaled.
package enum BuildSpeed {
    /// The factor by which the code of this build is slower than that of a release build.
    package static var slowdown: Int {
        #if SANITIZED
            // The sanitizer's own instructions count as well, on top of those of a debug build. According to its manual,
            // ThreadSanitizer makes a program 5 to 15 times slower.
            16
        #elseif DEBUG
            // Unoptimized code is several times slower: markets of 64 KB, full of values or of routes, take 3.1 to 4.1
            // times as long as in a release build, including their Lua code (`check --verbose`).
            4
        #else
            1
        #endif
    }

    /// The factor by which Lua is slower, including the Swift code that it calls.
    ///
    /// Lua spends nearly all of its time passing values to and from Swift, in this package's code. Pure computation is
    /// equally fast in every build, because Lua itself is a system library, so a debug build allows more of it. Under a
    /// sanitizer, Lua's clock (`cpu_now` in `state.c`) itself runs slower, even for limits that the user sets:
    /// allocation is so slow there that time would always run out before memory.
    package static var slowdownOfLua: Int {
        #if SANITIZED
            1
        #else
            slowdown
        #endif
    }
}
