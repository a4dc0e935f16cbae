package import GlassSchema

/// Provides the store in which the user shops, for analytics.
public protocol AnalyticsStoreIDProviding: AnyObject, Sendable {
    /// The store's number, or `nil` if none is selected.
    var analyticsStoreID: String? { get }

    /// Sets the store.
    ///
    /// - Parameter storeID: The store; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes. A provider that determines the store itself throws
    ///   ``StorageError/unavailable(_:cause:)``, which is the default.
    func setAnalyticsStoreID(_ storeID: String?) throws(StorageError)
}

extension AnalyticsStoreIDProviding {
    /// Throws, because the provider determines the store itself.
    public func setAnalyticsStoreID(_ storeID: String?) throws(StorageError) {
        throw .unavailable("set the store", cause: AnalyticsProviderError.determinesItself)
    }
}

/// Provides the user's membership, for analytics.
public protocol AnalyticsMembershipProviding: AnyObject, Sendable {
    /// The membership, or `nil` if it is unknown.
    var analyticsMembership: AnalyticsMembership? { get }

    /// Sets the membership.
    ///
    /// - Parameter membership: The membership; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes. A provider that determines the membership itself throws
    ///   ``StorageError/unavailable(_:cause:)``, which is the default.
    func setAnalyticsMembership(_ membership: AnalyticsMembership?) throws(StorageError)
}

extension AnalyticsMembershipProviding {
    /// Throws, because the provider determines the membership itself.
    public func setAnalyticsMembership(_ membership: AnalyticsMembership?) throws(StorageError) {
        throw .unavailable("set the membership", cause: AnalyticsProviderError.determinesItself)
    }
}

/// Provides the identity of the user, for analytics.
public protocol AnalyticsCustomerInfoProviding: AnyObject, Sendable {
    /// The customer, or `nil` if unknown.
    var analyticsCustomerInfo: AnalyticsCustomerInfo? { get }

    /// Sets the customer.
    ///
    /// - Parameter customer: The customer; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes. A provider that determines the customer itself throws
    ///   ``StorageError/unavailable(_:cause:)``, which is the default.
    func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) throws(StorageError)
}

extension AnalyticsCustomerInfoProviding {
    /// Throws, because the provider determines the customer itself.
    public func setAnalyticsCustomerInfo(_ customer: AnalyticsCustomerInfo?) throws(StorageError) {
        throw .unavailable("set the customer", cause: AnalyticsProviderError.determinesItself)
    }
}

/// Provides the location from which the user shops, for analytics.
public protocol AnalyticsLocationInfoProviding: AnyObject, Sendable {
    /// The location, or `nil` if it is unknown.
    var analyticsLocationInfo: AnalyticsLocationInfo? { get }

    /// Sets the location.
    ///
    /// - Parameter location: The location; `nil` removes it.
    /// - Throws: ``StorageError``, in which case nothing changes. A provider that determines the location itself throws
    ///   ``StorageError/unavailable(_:cause:)``, which is the default.
    func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) throws(StorageError)
}

extension AnalyticsLocationInfoProviding {
    /// Throws, because the provider determines the location itself.
    public func setAnalyticsLocationInfo(_ location: AnalyticsLocationInfo?) throws(StorageError) {
        throw .unavailable("set the location", cause: AnalyticsProviderError.determinesItself)
    }
}

/// The reason why a provider cannot be told what it determines itself.
enum AnalyticsProviderError: Error, CustomStringConvertible {
    case determinesItself

    var description: String { "this provider determines it itself" }
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
