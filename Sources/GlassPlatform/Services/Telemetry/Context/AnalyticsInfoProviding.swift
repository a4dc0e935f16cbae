package import GlassSchema

/// Provides the store in which the user shops, for analytics.
public protocol AnalyticsStoreIDProviding: AnyObject, Sendable {
    /// The store's number, or `nil` if none is selected.
    var analyticsStoreID: String? { get }
}

/// Provides the user's membership, for analytics.
public protocol AnalyticsMembershipProviding: AnyObject, Sendable {
    /// The membership, or `nil` if it is unknown.
    var analyticsMembership: AnalyticsMembership? { get }
}

/// Provides the identity of the user, for analytics.
public protocol AnalyticsCustomerInfoProviding: AnyObject, Sendable {
    /// The customer, or `nil` if unknown.
    var analyticsCustomerInfo: AnalyticsCustomerInfo? { get }
}

/// Provides the location from which the user shops, for analytics.
public protocol AnalyticsLocationInfoProviding: AnyObject, Sendable {
    /// The location, or `nil` if it is unknown.
    var analyticsLocationInfo: AnalyticsLocationInfo? { get }
}

/// A membership in the form that events carry.
public struct AnalyticsMembership: Sendable, Equatable, Codable {
    /// The tier, such as `plus`.
    public var tier: String
    /// Whether it is currently paid for.
    public var isActive: Bool

    /// Creates a membership.
    ///
    /// - Parameters:
    ///   - tier: The tier.
    ///   - isActive: Whether it is currently paid for.
    public init(tier: String, isActive: Bool) {
        self.tier = tier
        self.isActive = isActive
    }
}

/// A customer in the form that events carry.
public struct AnalyticsCustomerInfo: Sendable, Equatable, Codable {
    /// A pseudonym of the customer: never a name, an email address, or a telephone number.
    public var customerID: String
    /// Whether the customer is signed in.
    public var isSignedIn: Bool

    /// Creates a customer.
    ///
    /// - Parameters:
    ///   - customerID: A pseudonym of the customer.
    ///   - isSignedIn: Whether the customer is signed in.
    public init(customerID: String, isSignedIn: Bool) {
        self.customerID = customerID
        self.isSignedIn = isSignedIn
    }
}

/// A location in the form that events carry, with no more detail than a postal code.
public struct AnalyticsLocationInfo: Sendable, Equatable, Codable {
    /// The country, such as `CA`.
    public var country: String
    /// The state or province.
    public var region: String?
    /// The postal code.
    public var postalCode: String?

    /// Creates a location.
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
    /// The only getter.
    package var scriptMethods: [ScriptMethod] { [storeIDMethod] }

    var storeIDMethod: ScriptMethod {
        ScriptMethod("storeID", [], "The store that the user shops in, or nil.") { _ in
            self.analyticsStoreID.map { .string($0) } ?? .nil
        }
    }
}

extension AnalyticsMembershipProviding {
    /// The only getter.
    package var scriptMethods: [ScriptMethod] { [membershipMethod] }

    var membershipMethod: ScriptMethod {
        ScriptMethod("membership", [], "The membership's tier and whether it is active, or nil.") { _ in
            self.analyticsMembership.map { ["tier": .string($0.tier), "isActive": .boolean($0.isActive)] } ?? .nil
        }
    }
}

extension AnalyticsCustomerInfoProviding {
    /// The only getter.
    package var scriptMethods: [ScriptMethod] { [customerMethod] }

    var customerMethod: ScriptMethod {
        ScriptMethod("customer", [], "The customer's pseudonym and whether the customer is signed in, or nil.") { _ in
            self.analyticsCustomerInfo.map {
                ["customerID": .string($0.customerID), "isSignedIn": .boolean($0.isSignedIn)]
            } ?? .nil
        }
    }
}

extension AnalyticsLocationInfoProviding {
    /// The only getter.
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
