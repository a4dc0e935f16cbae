import GlassSchema
import Testing

/// The value of a header field: a text, or a secret.
struct HeaderValueTests {
    /// A section of an app with headers.
    private struct Gateway: ConfigurationSection {
        var key: HeaderValue = "none"
        var headers: [String: HeaderValue] = [:]

        static let keys: [ConfigurationKey<Self>] = [
            .init("key", \.key, "The key."),
            .init("headers", \.headers, .map(of: HeaderValue.valueType, keys: .headerName), "The headers."),
        ]
    }

    @Test func textAndSecretAreRead() throws {
        let secret = Secret(name: "SHOP_KEY", value: "hunter2")
        let value = ConfigurationValue.map(values: [
            "key": .secret(secret), "headers": .map(values: ["A": "plain", "B": .secret(secret)]),
        ])
        #expect(Gateway.findings(in: ConfigurationNode(value)).isEmpty)
        let gateway = Gateway(validated: value)
        #expect(try gateway.key.reveal() == "hunter2" && gateway.headers["A"]?.reveal() == "plain")
        #expect(gateway.headers["A"] == "plain" && gateway.headers["B"]?.secret == secret)
        #expect("\(gateway)".contains("hunter2") == false)
        #expect("\(gateway.configurationValue)".contains("hunter2") == false)
        #expect(throws: SecretError.unset(name: "A")) { try HeaderValue.secret(Secret(name: "A")).reveal() }
    }

    @Test(
        arguments: [
            (["key": "a\nb"], "key: expected a printable ASCII string without line breaks, got \"a\\nb\""),
            (
                ["key": .boolean(true)],
                "key: expected a printable ASCII string without line breaks or a secret, written as secret \"NAME\", got true"
            ),
            (
                ["headers": .map(values: ["A B": "c"])],
                "headers[\"A B\"]: expected the key to be a header name, such as "
                    + "\"X-Client\", got \"A B\""
            ),
        ] as [([String: ConfigurationValue], String)])
    func otherValuesAreReported(values: [String: ConfigurationValue], text: String) {
        let found = Gateway.findings(in: ConfigurationNode(.map(values: values)))
        #expect(found.map { "\($0.path): \($0.message)" } == [text])
    }
}
