/// The parameters of the feature `cart`, which takes none.
public struct CartParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "cart", tab: "cart", screen: "cart", paths: ["cart"], "The shopping cart.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `cart`: the shopping cart.
public protocol CartRoutable: FeatureRoutable where Parameters == CartParameters {}
extension StandardRoutable: CartRoutable where Parameters == CartParameters {}

/// Opens the shopping cart.
public typealias StandardCartRoutable = StandardRoutable<CartParameters>

/// The parameters of the feature `checkout`, which takes none.
public struct CheckoutParameters: FeatureParameters {
    /// The feature.
    public static let feature = Feature(
        id: "checkout", tab: "cart", screen: "checkout", paths: ["checkout"], "The checkout of the cart.")

    /// Creates parameters; the feature takes none.
    package init() {}

    /// Accepts any link.
    public init(_ link: DeepLink) {}
}

/// The feature `checkout`: the checkout of the cart.
public protocol CheckoutRoutable: FeatureRoutable where Parameters == CheckoutParameters {}
extension StandardRoutable: CheckoutRoutable where Parameters == CheckoutParameters {}

/// Opens the checkout of the cart. It only shows a page and never places an order: a link does not prove its sender.
public typealias StandardCheckoutRoutable = StandardRoutable<CheckoutParameters>
