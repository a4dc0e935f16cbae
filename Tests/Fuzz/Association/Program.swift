#if !FUZZING
    import TestSupport

    /// Replaces libFuzzer's `main` in every build except that of scripts/fuzz.
    @main
    enum Program {
        static func main() { FuzzedFiles.run(fuzzAssociation) }
    }
#endif
