import GlassBase
import Testing

struct BuildSpeedTests {
    @Test func aReleaseIsTheMeasure() {
        #if DEBUG
            #expect(BuildSpeed.slowdown > 1)
        #elseif !SANITIZED
            #expect(BuildSpeed.slowdown == 1 && BuildSpeed.slowdownOfLua == 1)
        #endif
        #if SANITIZED
            // The clock of Lua counts slower itself.
            #expect(BuildSpeed.slowdownOfLua == 1)
        #else
            #expect(BuildSpeed.slowdownOfLua == BuildSpeed.slowdown)
        #endif
    }
}
