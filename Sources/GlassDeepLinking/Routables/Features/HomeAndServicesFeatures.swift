/// The parameters of the feature `home`, which takes none.
public struct HomeParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "home", tab: "home", paths: ["/", "home"], "The first screen of the app.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `home`: the first screen of the app.
public protocol HomeRoutable: FeatureRoutable where Parameters == HomeParameters {}
extension StandardRoutable: HomeRoutable where Parameters == HomeParameters {}

/// Opens the first screen of the app.
public typealias StandardHomeRoutable = StandardRoutable<HomeParameters>

/// The parameters of the feature `pharmacy`.
public struct PharmacyParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "pharmacy", tab: "services", screen: "pharmacy",
        paths: ["pharmacy", "pharmacy/:section(refill|transfer|immunizations)"], takes: ["section"],
        "The pharmacy, or a part of it.")

    /// The part of the pharmacy; `nil` shows its start page.
    public let section: String?

    /// Creates parameters.
    package init(section: String? = nil) {
        self.section = section
    }

    /// Reads the values of a link.
    public init(_ link: DeepLink) {
        self.init(section: link.value("section"))
    }

    /// The values by name.
    public var texts: [String: String?] { ["section": section] }
}

/// The feature `pharmacy`: the pharmacy, or a part of it.
public protocol PharmacyRoutable: FeatureRoutable where Parameters == PharmacyParameters {}
extension StandardRoutable: PharmacyRoutable where Parameters == PharmacyParameters {}

/// Opens the pharmacy or a part of it.
public typealias StandardPharmacyRoutable = StandardRoutable<PharmacyParameters>
