#if SwiftConfiguration
    import GlassMarkets
    import GlassSchema

    /// A compiled market with the values that swift-configuration's suite for providers expects.
    enum ProviderMarket {
        static let module = MarketModule("compat", secretPrefixes: ["COMPAT_"], sections: [Compat.self])

        static func text(id: String = "t", int: Int = 42, double: String = "3.14", bool: Bool = true) -> String {
            // The bytes are those of "magic" and "magic2".
            """
            {"currency":"USD","deepLinking":{"schemes":["t"]},"id":"\(id)","locales":["en-US"],"module":"compat","name":"T",
            "compat":{"own":{"string":"Hello","int":\(int),"double":\(double),"bool":\(bool),"bytes":"bWFnaWM=",
            "stringy":{"array":["Hello","World"]},"inty":{"array":[42,24]},"doubly":{"array":[3.14,2.72]},
            "booly":{"array":[true,false]},"byteChunky":{"array":["bWFnaWM=","bWFnaWMy"]}},
            "other":{"string":"Other Hello","int":24,"double":2.72,"bool":false,"bytes":"bWFnaWMy",
            "stringy":{"array":["Hello","Swift"]},"inty":{"array":[16,32]},"doubly":{"array":[0.9,1.8]},
            "booly":{"array":[false,true,true]},"byteChunky":{"array":["bWFnaWM=","bWFnaWMy","bWFnaWM="]}},
            "password":{"$secret":"COMPAT_PASSWORD"}},
            "routables":{},"schema":1,"schemaDigest":""}
            """
        }
    }

    private struct Compat: MarketSection {
        var own = Values()
        var other = Values()
        var password: Secret?

        static let key = "compat"
        static let summary = "Values of each type."
        static let keys: [ConfigurationKey<Self>] = [
            .init("own", \.own, "Values."), .init("other", \.other, "Values."),
            .init("password", \.password, "A secret."),
        ]
    }

    private struct Values: ConfigurationSection {
        var string = ""
        var int = 0
        var double = 0.0
        var bool = false
        var bytes = ""
        var stringy = Texts()
        var inty = Integers()
        var doubly = Numbers()
        var booly = Flags()
        var byteChunky = Texts()

        static let keys: [ConfigurationKey<Self>] = [
            .init("string", \.string, "A string."), .init("int", \.int, "An integer."),
            .init("double", \.double, "A number."), .init("bool", \.bool, "A flag."),
            .init("bytes", \.bytes, "Bytes."), .init("stringy", \.stringy, "Strings."),
            .init("inty", \.inty, "Integers."), .init("doubly", \.doubly, "Numbers."),
            .init("booly", \.booly, "Flags."), .init("byteChunky", \.byteChunky, "Bytes."),
        ]
    }

    private struct Texts: ConfigurationSection {
        var array: [String] = []
        static let keys: [ConfigurationKey<Self>] = [.init("array", \.array, "Strings.")]
    }

    private struct Integers: ConfigurationSection {
        var array: [Int] = []
        static let keys: [ConfigurationKey<Self>] = [.init("array", \.array, "Integers.")]
    }

    private struct Numbers: ConfigurationSection {
        var array: [Double] = []
        static let keys: [ConfigurationKey<Self>] = [.init("array", \.array, "Numbers.")]
    }

    private struct Flags: ConfigurationSection {
        var array: [Bool] = []
        static let keys: [ConfigurationKey<Self>] = [.init("array", \.array, "Flags.")]
    }
#endif
