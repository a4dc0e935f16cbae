#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The claims of one section, checked in the process that the section is. The other sections' claims are tests.
///
/// ```swift
/// await Claims.check { claim in
///     claim("a unique service is made anew", container.service() !== container.service())
/// }
/// ```
@MainActor
final class Claims {
    private var held = 0
    private var broken = 0

    private init() {}

    /// Checks claims, prints how many hold, and ends the process with 1 if one does not or if there is none.
    static func check(_ body: @MainActor (Claims) async throws -> Void) async {
        let claims = Claims()
        do {
            try await body(claims)
        } catch {
            claims.broken += 1
            print("broken: an error ended the claims: \(error)")
        }
        print("\(claims.held) claims hold, \(claims.broken) do not")
        if claims.held == 0 || claims.broken > 0 { exit(1) }
    }

    /// Makes a claim; prints where it stands if it does not hold.
    func callAsFunction(
        _ text: String, _ holds: Bool, file: StaticString = #fileID, line: UInt = #line
    ) {
        if holds {
            held += 1
        } else {
            broken += 1
            print("broken: \(file):\(line): \(text)")
        }
    }
}
