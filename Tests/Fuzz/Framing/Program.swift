#if !FUZZING
    import TestSupport

    /// What stands in for libFuzzer's `main` in every build but that of scripts/fuzz.
    @main
    enum Program {
        static func main() { FuzzedFiles.run(fuzzFraming) }
    }
#endif
