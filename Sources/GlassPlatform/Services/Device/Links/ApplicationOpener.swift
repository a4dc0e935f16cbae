#if os(iOS)
    import Foundation
    import UIKit

    /// Opens links with the application of this process.
    ///
    /// App extensions cannot refer to `UIApplication.shared` (`APPLICATION_EXTENSION_API_ONLY`), and both apps and
    /// extensions link this library. The application is therefore looked up by key, and only in a process that is not
    /// an extension.
    enum ApplicationOpener {
        /// Opens a link.
        ///
        /// - Parameter url: The link.
        /// - Throws: ``ApplicationURLError/unavailableInExtension``,
        ///   ``ApplicationURLError/openerFailed(_:url:cause:)`` if no app opened the link.
        @MainActor
        static func open(_ url: URL) async throws(ApplicationURLError) {
            let isExtension = Bundle.main.bundleURL.pathExtension == "appex"
            guard !isExtension, let application = UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
            else {
                throw .unavailableInExtension
            }
            guard await application.open(url) else {
                throw .openerFailed("the application", url: url.absoluteString, cause: OpenerExit(status: 1))
            }
        }
    }
#endif
