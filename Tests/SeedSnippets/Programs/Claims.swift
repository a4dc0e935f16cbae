#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The claims of one section, checked in its own process. The claims of the other sections are tests.
///
/// ```swift
/// await Claims.check { claim in
///     claim("a unique service is created on each read", container.service() !== container.service())
/// }
/// ```
@MainActor
final class Claims {
    private var held = 0
    private var broken = 0

    private init() {}

    /// Checks claims, prints how many are true, and ends the process with status 1 if one is false or there are none.
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

    /// Checks a claim; prints its position if it is false.
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
