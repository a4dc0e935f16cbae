// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

// 001:45-59
public extension Container {
    static let walmartApp: Container = Container()


    var analytics: Analytics {
        self.get()
    }

    var networking: Networking {
        self.get()
    }
}

// Around the snippet.
public protocol Analytics: AnyObject {}
public protocol Networking: AnyObject {}
