import GlassDeepLinking

/// The links of the United States.
let walmart = configuration("walmart")
/// The links of Canada.
let canada = configuration("walmart.ca")

private func configuration(_ scheme: String) -> DeepLinkConfiguration {
    var configuration = DeepLinkConfiguration()
    configuration.schemes = [scheme]
    return configuration
}
