/// What a link to a feature asks for, as typed values.
///
/// The type stands for its feature: ``StandardRoutable`` needs nothing else to open it.
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
/// try router.register(routables: [StandardRoutable<FlyersParameters>(container: container)])
/// ```
public protocol FeatureParameters: Sendable, Equatable {
    /// The feature.
    static var feature: Feature { get }

    /// Reads the values.
    ///
    /// - Parameter link: A matched link.
    /// - Returns: `nil` when a required value is missing or malformed; the link is then declined.
    init?(_ link: DeepLink)

    /// The values as texts, by name: what the screen is shown with, and what a link is built from. By default none.
    ///
    /// A `nil` is a value that the link does not have.
    var texts: [String: String?] { get }
}

extension FeatureParameters {
    /// None.
    public var texts: [String: String?] { [:] }
}
