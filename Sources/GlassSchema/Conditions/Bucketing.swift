/// How units, such as installations or customers, are spread over 100,000 positions, of which a percentage takes the
/// first ones.
///
/// The position of a unit depends on nothing else, so it never changes: whoever has a feature at 10% has it at 25%.
package struct Bucketing: Sendable, Hashable {
    /// A vendor whose rule is followed, so that a flag that comes from there keeps every unit where it was.
    package enum Vendor: String, Sendable, Hashable, CaseIterable {
        /// Unleash: gradual rollouts, in whole percents.
        case unleash
        /// The variants of Unleash, in tenths of a percent.
        case unleashVariants
        /// flagd's `fractional`.
        case flagd
        /// Featurevisor.
        case featurevisor
        /// Optimizely's feature experimentation.
        case optimizely
        /// GrowthBook, version 2 of its hash.
        case growthbook
        /// GrowthBook's namespaces, version 1 of its hash. The salt is the namespace after two underscores.
        case growthbookNamespace
        /// LaunchDarkly: rollouts by the key and salt of a flag, as in `newCheckout.8f2b`, or by a seed, as in `61`.
        case launchDarkly

        /// The vendors that a flag can name in `like`.
        package static let flags: [Vendor] = [
            .featurevisor, .flagd, .growthbook, .launchDarkly, .optimizely, .unleash,
        ]
    }

    /// A generation of a vendor's rule, as people write it: `flagd@3`.
    package struct Generation {
        /// The vendor.
        package let vendor: Vendor
        /// The number of the generation.
        package let number: Int

        /// The generations that vendors have had, and what each does.
        private static let known: [(vendor: Vendor, followed: Int, others: [(number: Int, rule: String)])] = [
            (
                .flagd, 2,
                [(1, "the rule until spring 2026"), (3, "introduced in September 2026, hashes the key in CBOR")]
            ),
            (.growthbook, 2, [(1, "hashVersion 1, the default of GrowthBook")]),
        ]

        /// Nil for a text that names no generation of a vendor.
        package init?(_ text: String) {
            guard text.utf8.count <= 32, let at = text.firstIndex(of: "@"),
                let vendor = Vendor(rawValue: String(text[..<at])),
                let number = Int(text[text.index(after: at)...]), Vendor.flags.contains(vendor)
            else { return nil }
            (self.vendor, self.number) = (vendor, number)
        }

        private var known: (vendor: Vendor, followed: Int, others: [(number: Int, rule: String)])? {
            Self.known.first { $0.vendor == vendor }
        }

        private var isFollowed: Bool { number == known?.followed }

        /// Why the text is not the value of `like`.
        package var message: String {
            let name = vendor.rawValue
            guard let known else { return "\(name) has only one version: write the name without a number" }
            if isFollowed { return "\"\(name)\" already follows version \(number): write the name without a number" }
            let rule = known.others.first { $0.number == number }.map { " (\($0.rule))" } ?? ""
            return
                "shares from version \(number) of \(name)\(rule) cannot be continued: \"\(name)\" follows version "
                + "\(known.followed)"
        }

        /// What to do about it.
        package func advice(for written: String) -> Advice {
            guard let known, !isFollowed else { return .write(vendor.rawValue, for: written) }
            return Advice(
                "move the flag to version \(known.followed) of \(vendor.rawValue) first, or remove like, which "
                    + "re-buckets everyone")
        }
    }

    /// The text that makes the positions of one percentage independent of those of another.
    package var salt: String
    /// The attribute that identifies a unit.
    package var unit: String
    /// The vendor whose rule is followed; nil for the rule of this project.
    package var vendor: Vendor?

    /// Creates a rule.
    package init(salt: String, unit: String, vendor: Vendor? = nil) {
        self.salt = salt
        self.unit = unit
        self.vendor = vendor
    }

    /// The number of positions.
    package static let positions = 100_000.0
    /// The largest size of a salt, in bytes.
    package static let maximumSaltLength = 64

    /// The rule of this project: MurmurHash3 of `salt:unit` in UTF-8 with seed 0, scaled to 0 to 99,999.
    package static func bucket(salt: String, unit: String) -> Int {
        var hash = Murmur3()
        hash.add(salt)
        hash.add(UInt8(ascii: ":"))
        hash.add(unit)
        return Int((UInt64(hash.value) &* 100_000) >> 32)
    }

    /// The position of a unit, from 0 up to but not including 100,000. O(size of the texts); allocates nothing, except
    /// for GrowthBook and LaunchDarkly.
    ///
    /// A vendor's own number is scaled, so that comparing positions with ``end(of:)`` decides as the vendor does.
    package func position(of unit: String) -> Double {
        switch vendor {
        case nil: return Double(Self.bucket(salt: salt, unit: unit))
        case .flagd?: return Double((UInt64(hash(salt, unit)) &* 100_000) >> 32)
        case .featurevisor?: return Double((UInt64(hash(unit, ".", salt, seed: 1)) &* 100_000) >> 32)
        case .optimizely?: return Double((UInt64(hash(unit, salt, seed: 1)) &* 10_000) >> 32) * 10
        case .unleash?: return Double(hash(salt, ":", unit) % 100) * 1000
        case .unleashVariants?: return Double(Self.unleashVariant(of: unit, group: salt, total: 1000)) * 100
        case .growthbook?:
            let inner = FNV1a.hash(salt + unit)
            return Double(FNV1a.hash("\(inner)") % 10_000) * 10
        case .growthbookNamespace?: return Double(FNV1a.hash(unit + salt) % 1000) * 100
        case .launchDarkly?: return Double(Self.launchDarkly(salt: salt, unit: unit)) * Self.positions
        }
    }

    /// The position before which the units of a percentage are.
    ///
    /// - Parameter percents: The percentages of a split, in order, of which the last one ends there.
    package func end(of percents: some Sequence<Double>) -> Double {
        guard vendor == .launchDarkly else {
            // Thousandths of a percent are whole numbers, which add up exactly.
            return percents.reduce(0) { $0 + ($1 * 1000).rounded() }
        }
        // The vendor adds shares as single-precision numbers, and a unit at the edge depends on that.
        let sum = percents.reduce(Float(0)) { $0 + Float(($1 * 1000).rounded()) / 100_000 }
        return Double(sum) * Self.positions
    }

    /// The variant of Unleash that a unit has, as a number below the sum of the weights.
    package static func unleashVariant(of unit: String, group: String, total: UInt32) -> UInt32 {
        var hash = Murmur3(seed: 86_028_157)
        hash.add(group)
        hash.add(UInt8(ascii: ":"))
        hash.add(unit)
        return hash.value % total
    }

    /// The share from 0 to 1 at which LaunchDarkly places a unit: the first 60 bits of SHA-1 of `salt.unit`.
    package static func launchDarkly(salt: String, unit: String) -> Float {
        let digest = SHA1.hash("\(salt).\(unit)")
        let bits = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 4
        return Float(bits) / Float(0xFFF_FFFF_FFFF_FFFF as UInt64)
    }

    @inline(__always)
    private func hash(_ first: String, _ second: String, _ third: String = "", seed: UInt32 = 0) -> UInt32 {
        var hash = Murmur3(seed: seed)
        hash.add(first)
        hash.add(second)
        hash.add(third)
        return hash.value
    }
}

/// FNV-1a with 32 bits, as GrowthBook uses it.
private enum FNV1a {
    static func hash(_ text: String) -> UInt32 {
        text.utf8.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}

/// SHA-1, only as a way to spread units as LaunchDarkly does. It protects nothing.
///
/// Source: FIPS 180-4.
enum SHA1 {
    /// The 20 bytes of the digest of a text's UTF-8.
    static func hash(_ text: String) -> [UInt8] {
        var message = Array(text.utf8)
        let bits = UInt64(message.count) * 8
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
        for start in stride(from: 0, to: message.count, by: 64) { add(message[start..<start + 64], to: &state) }
        return state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = [UInt32](repeating: 0, count: 80)
        for (offset, byte) in block.enumerated() { words[offset / 4] = words[offset / 4] << 8 | UInt32(byte) }
        for index in 16..<80 {
            words[index] = rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mixed, constant): (UInt32, UInt32) =
                switch index {
                case ..<20: (b & c | ~b & d, 0x5a82_7999)
                case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
                case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
                default: (b ^ c ^ d, 0xca62_c1d6)
                }
            let next = rotated(a, by: 5) &+ mixed &+ e &+ constant &+ words[index]
            (e, d, c, b, a) = (d, c, rotated(b, by: 30), a, next)
        }
        for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
    }

    private static func rotated(_ value: UInt32, by count: UInt32) -> UInt32 {
        value << count | value >> (32 - count)
    }
}
