@testable import GlassBase
import Testing

struct BuildSpeedTests {
    @Test func releaseBuildIsTheBaseline() {
        #if DEBUG
            #expect(BuildSpeed.slowdown > 1)
        #elseif !SANITIZED
            #expect(BuildSpeed.slowdown == 1 && BuildSpeed.slowdownOfLua == 1)
        #endif
        #if SANITIZED
            // Lua's own clock already counts slower.
            #expect(BuildSpeed.slowdownOfLua == 1)
        #else
            #expect(BuildSpeed.slowdownOfLua == BuildSpeed.slowdown)
        #endif
    }
}
