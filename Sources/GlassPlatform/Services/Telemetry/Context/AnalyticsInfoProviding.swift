package import GlassSchema

/// The store that the user shops in, for analytics.
public protocol AnalyticsStoreIDProviding: AnyObject, Sendable {
    /// The store's number, or nil while none is chosen.
    var analyticsStoreID: String? { get }
}

/// The user's membership, for analytics.
public protocol AnalyticsMembershipProviding: AnyObject, Sendable {
    /// The membership, or nil while it is not known.
    var analyticsMembership: AnalyticsMembership? { get }
}

/// Who the user is, for analytics.
public protocol AnalyticsCustomerInfoProviding: AnyObject, Sendable {
    /// The customer, or nil while nobody is known.
    var analyticsCustomerInfo: AnalyticsCustomerInfo? { get }
}

/// Where the user shops from, for analytics.
public protocol AnalyticsLocationInfoProviding: AnyObject, Sendable {
    /// The location, or nil while it is not known.
    var analyticsLocationInfo: AnalyticsLocationInfo? { get }
}

/// A membership as events carry it.
public struct AnalyticsMembership: Sendable, Equatable, Codable {
    /// The tier, such as `plus`.
    public var tier: String
    /// Whether it is paid for at present.
    public var isActive: Bool

    /// Describes a membership.
    ///
    /// - Parameters:
    ///   - tier: The tier.
    ///   - isActive: Whether it is paid for at present.
    public init(tier: String, isActive: Bool) {
        self.tier = tier
        self.isActive = isActive
    }
}

/// A customer as events carry it.
public struct AnalyticsCustomerInfo: Sendable, Equatable, Codable {
    /// A pseudonym of the customer: never a name, a mail address or a telephone number.
    public var customerID: String
    /// Whether the customer is signed in.
    public var isSignedIn: Bool

    /// Describes a customer.
    ///
    /// - Parameters:
    ///   - customerID: A pseudonym of the customer.
    ///   - isSignedIn: Whether the customer is signed in.
    public init(customerID: String, isSignedIn: Bool) {
        self.customerID = customerID
        self.isSignedIn = isSignedIn
    }
}

/// A location as events carry it: as coarse as a postal code.
public struct AnalyticsLocationInfo: Sendable, Equatable, Codable {
    /// The country, such as `CA`.
    public var country: String
    /// The state or province.
    public var region: String?
    /// The postal code.
    public var postalCode: String?

    /// Describes a location.
    ///
    /// - Parameters:
    ///   - country: The country.
    ///   - region: The state or province.
    ///   - postalCode: The postal code.
    public init(country: String, region: String? = nil, postalCode: String? = nil) {
        self.country = country
        self.region = region
        self.postalCode = postalCode
    }
}

extension AnalyticsStoreIDProviding {
    /// The one getter.
    package var scriptMethods: [ScriptMethod] { [storeIDMethod] }

    var storeIDMethod: ScriptMethod {
        ScriptMethod("storeID", [], "The store that the user shops in, or nil.") { _ in
            self.analyticsStoreID.map { .string($0) } ?? .nil
        }
    }
}

extension AnalyticsMembershipProviding {
    /// The one getter.
    package var scriptMethods: [ScriptMethod] { [membershipMethod] }

    var membershipMethod: ScriptMethod {
        ScriptMethod("membership", [], "The membership's tier and whether it is active, or nil.") { _ in
            self.analyticsMembership.map { ["tier": .string($0.tier), "isActive": .boolean($0.isActive)] } ?? .nil
        }
    }
}

extension AnalyticsCustomerInfoProviding {
    /// The one getter.
    package var scriptMethods: [ScriptMethod] { [customerMethod] }

    var customerMethod: ScriptMethod {
        ScriptMethod("customer", [], "The customer's pseudonym and whether somebody is signed in, or nil.") { _ in
            self.analyticsCustomerInfo.map {
                ["customerID": .string($0.customerID), "isSignedIn": .boolean($0.isSignedIn)]
            } ?? .nil
        }
    }
}

extension AnalyticsLocationInfoProviding {
    /// The one getter.
    package var scriptMethods: [ScriptMethod] { [locationMethod] }

    var locationMethod: ScriptMethod {
        ScriptMethod("location", [], "Country, region and postal code, or nil.") { _ in
            guard let info = self.analyticsLocationInfo else { return .nil }
            var fields: [String: ScriptValue] = ["country": .string(info.country)]
            fields["region"] = info.region.map { .string($0) }
            fields["postalCode"] = info.postalCode.map { .string($0) }
            return .map(fields)
        }
    }
}
