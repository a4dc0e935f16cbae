import AppModule
import Foundation
public import GlassMarkets

/// The app's markets, which its build has checked and compiled.
public enum AppMarkets {
    /// The source of the markets.
    public static let source = CompiledMarkets(.corner, in: .module, subfolder: "markets")
}
