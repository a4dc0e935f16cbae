/// The typed parameters of a feature, read from a link.
///
/// The type represents its feature: ``StandardRoutable`` needs nothing else to open it.
///
/// ```swift
/// struct FlyersParameters: FeatureParameters {
///     static let feature = Feature(
///         id: "flyers", tab: "deals", screen: "flyers", paths: ["flyers/:week(int)"], requires: ["week"],
///         "One week's flyer.")
///     let week: Int64
///
///     init?(_ link: DeepLink) {
///         guard let week = link.integer("week") else { return nil }
///         self.week = week
///     }
///
///     var texts: [String: String?] { ["week": String(week)] }
/// }
///
/// router.register(routables: [StandardRoutable<FlyersParameters>(container: container)])
/// ```
public protocol FeatureParameters: Sendable, Equatable {
    /// The feature.
    static var feature: Feature { get }

    /// Reads the values from a link.
    ///
    /// - Parameter link: A matched link.
    /// - Returns: `nil` if a required value is missing or malformed; the link is then declined.
    init?(_ link: DeepLink)

    /// The values as strings, by name: the parameters of the screen, and the input for building a link. Empty by
    /// default.
    ///
    /// A `nil` represents a value that the link does not have.
    var texts: [String: String?] { get }
}

extension FeatureParameters {
    /// An empty dictionary.
    public var texts: [String: String?] { [:] }
}
