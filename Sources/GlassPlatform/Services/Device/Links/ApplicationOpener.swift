#if os(iOS) || GLASS_IOS_STUB
    import Foundation
    import UIKit

    /// Opens a link with the application that this process is.
    ///
    /// An app extension may not name `UIApplication.shared` (`APPLICATION_EXTENSION_API_ONLY`), and this library is linked
    /// by both: so the application is asked for by its key, and only where the process is none of an extension.
    enum ApplicationOpener {
        /// Opens a link.
        ///
        /// - Parameter url: The link.
        /// - Throws: ``ApplicationURLError/noOpener(_:)`` in an extension, ``ApplicationURLError/openerFailed(_:url:cause:)``
        ///   when no program took the link.
        @MainActor
        static func open(_ url: URL) async throws(ApplicationURLError) {
            let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
            guard !isExtension, let application = UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
            else {
                throw .noOpener("application in an extension: give PlatformHost.device a urlOpener of its context")
            }
            guard await application.open(url) else {
                throw .openerFailed("the application", url: url.absoluteString, cause: OpenerExit(status: 1))
            }
        }
    }
#endif
