@testable import GlassSchema
import Testing

struct SecretTests {
    let secret = Secret(name: "KEY").resolved { $0 == "KEY" ? "hunter2" : nil }

    @Test func valueIsOnlyAvailableThroughReveal() throws {
        #expect(try secret.reveal() == "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, "\(ConfigurationValue.secret(secret))"] {
            #expect(!text.contains("hunter2"))
        }
        #expect("\(secret)" == "<secret KEY>")
    }

    @Test func unsetSecretErrorHasAdvice() {
        #expect(!Secret(name: "KEY").isSet)
        #expect(throws: SecretError.unset(name: "KEY")) { try Secret(name: "KEY").reveal() }
        #expect(
            SecretError.unset(name: "KEY").description
                == "the secret KEY is not set: set it in the host's environment")
    }
}
