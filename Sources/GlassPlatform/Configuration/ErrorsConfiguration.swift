public import GlassSchema

/// The texts about errors that users see, by the kind of the error. The default ones are English.
///
/// ```lua
/// errors = {
///   offline = {
///     title = perLocale { ["fr-CA"] = "Vous êtes hors ligne", default = "You are offline" },
///     message = perLocale { ["fr-CA"] = "Vérifiez votre connexion.", default = "Check your connection." },
///   },
/// }
/// ```
public struct ErrorsConfiguration: ConfigurationSection {
    private var texts: [ErrorKind: Text]

    /// The text about one kind of errors.
    public struct Text: ConfigurationSection {
        /// The headline.
        public var title = ""
        /// What the user can do.
        public var message = ""

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("title", \.title, .string(.nonEmpty), required: true, "The headline."),
            .init("message", \.message, .string(.nonEmpty), required: true, "What the user can do."),
        ]

        /// Creates an empty text.
        public init() {}
    }

    /// The text about a kind of errors. Users see none about ``ErrorKind/cancelled``, which has no key.
    ///
    /// - Parameter kind: The kind.
    public subscript(kind: ErrorKind) -> Text {
        get { texts[kind] ?? Text(kind.text) }
        set { texts[kind] = newValue }
    }

    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = ErrorKind.allCases.compactMap { kind in
        kind.summary.map { ConfigurationKey(kind.rawValue, \.[kind], $0) }
    }

    /// Creates the configuration with the English texts.
    public init() {
        texts = Dictionary(uniqueKeysWithValues: ErrorKind.allCases.map { ($0, Text($0.text)) })
    }
}

extension ErrorsConfiguration.Text {
    fileprivate init(_ text: ErrorText) {
        title = text.title
        message = text.message
    }
}

extension ErrorKind {
    /// When the error occurs; `nil` for a kind that users are not told about.
    fileprivate var summary: String? {
        switch self {
        case .offline: "There is no connection."
        case .timeout: "The operation took too long."
        case .serverUnavailable: "The server has a problem."
        case .insecureConnection: "The connection is not secure."
        case .signInRequired: "The user is not signed in, or the sign-in has expired."
        case .notAllowed: "The action is not allowed."
        case .notFound: "The resource does not exist."
        case .unexpectedAnswer: "The response cannot be interpreted."
        case .storageFull: "The device has no space left."
        case .storageUnavailable: "The device cannot read or write data."
        case .invalidInput: "The input is invalid."
        case .misconfigured: "The app or the market is misconfigured."
        case .cancelled: nil
        case .unknown: "Any other error."
        }
    }
}
