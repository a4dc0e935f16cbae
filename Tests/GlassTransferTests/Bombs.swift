import Foundation

/// Compressed zeros: a small response that expands to a large one.
enum Bombs {
    /// Zeros by content coding: 256 KB compressed once, 32 MB compressed twice.
    static let all: [(coding: String, bytes: [UInt8])] = encoded.map { coding, text in
        (coding, Array(Data(base64Encoded: text) ?? Data()))
    }

    /// A gzip member without its header and checksum.
    static var rawDeflate: [UInt8] { Array(all[0].bytes.dropFirst(10).dropLast(8)) }

    private static let encoded: [(String, String)] = [
        (
            "gzip",
            """
            H4sIAAAAAAACA+3BMQEAAADCoPVP7W0HoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
            AAAAAAAAAAAA3gAi6g7iAAAEAA==
            """
        ),
        (
            "br",
            """
            W///g38CIB4LBHLvBwA=
            """
        ),
        (
            "zstd",
            """
            KLUv/aAAAAQATAAACAABAPz/ORACAwAQAA==
            """
        ),
        (
            "gzip, gzip",
            """
            H4sIAAAAAAACA+3dIW4CYRAG0GV3BUG0VFQhyjEwm7Qh1DVBFIEiHKASDUlTVdNLoFF4cNyA4jgAQSBQhIXdY/z7nh\
            r9yS+TmZffelSIk8O6VrsPs7/r4lhvRAAAAEDgZrvvpCgDona+fe8PAAAAgNCNHx/SshS4jFpv4gAAAIDg/WSdZrkh\
            cJp+peIAAACA4D2f969lF7DJl0+f8gAAAIDg/TsYAAAAAJXiYAAAAABUyzzrtIsuoHnKJ93YZwUAAAAqYvXRS3vD+x\
            DfAHOE6iN7fwAA
            """
        ),
        (
            "gzip, br",
            """
            G3p/4I3EOEbyoYgyBA9x794fqzVoC85hWXHXeRi3aYvEUV4W2LDO16DVVUVQWZ1y2iIMHCOSCI+BYHjGAcszH//bA4\
            DQUAdAlI5rQQDas9/irJvowj0AaO97kgAQ/m9LY+AeANTtNhmg/an5smiQjDg43AOAe6shV8n7PmQo3AOAzX/prJDo\
            C4DdSgDmDDevAYDj/m/mRWKrcnLxN/s=
            """
        ),
    ]
}
