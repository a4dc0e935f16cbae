package import Foundation
import GlassBase

#if canImport(Security)
    import Security
#endif

/// Where the token of a customer who signed in is kept: apart from what else the app stores, which others may look at.
package protocol SignInTokens: Sendable {
    /// The token; nil for nobody.
    func token() throws -> String?

    /// Keeps a token; nil forgets it.
    func keep(_ token: String?) throws
}

/// Which tokens a program keeps where.
enum SignInTokenStorage {
    /// The place for a state folder: the Keychain on Apple's systems, elsewhere a file of its own that only its owner can
    /// open.
    static func tokens(for host: PlatformHost) -> any SignInTokens {
        guard let folder = host.stateFolder else { return SignInTokensInMemory() }
        #if canImport(Security)
            return SignInTokensInKeychain(folder: folder)
        #else
            return SignInTokensInFile(folder: folder, timeout: host.storage.busyTimeout)
        #endif
    }
}

/// A token that ends with the process.
package final class SignInTokensInMemory: SignInTokens {
    private let kept = Lock<String?>(nil)

    /// Keeps nothing yet.
    package init() {}

    package func token() -> String? { kept.withLock { $0 } }

    package func keep(_ token: String?) { kept.withLock { $0 = token } }
}

/// A token in a file of mode 0600, which is replaced as a whole.
package struct SignInTokensInFile: SignInTokens {
    private let file: AtomicFile

    /// Names the file `sign-in.token` in a state folder; nothing is opened.
    package init(folder: URL, timeout: Duration) {
        file = AtomicFile(folder.appending(path: "sign-in.token"), timeout: timeout)
    }

    package func token() throws -> String? {
        guard let content = try file.read(), !content.isEmpty else { return nil }
        return String(decoding: content, as: UTF8.self)
    }

    package func keep(_ token: String?) throws {
        if token == nil, try self.token() == nil { return }
        try file.update { _ in (Data((token ?? "").utf8), ()) }
    }
}

#if canImport(Security)
    /// A token in the Keychain, readable after the first unlock and on this device only.
    ///
    /// The tests of this package run on Linux; this type compiles by reading and has not run yet.
    struct SignInTokensInKeychain: SignInTokens {
        private let account: String

        init(folder: URL) {
            #if os(macOS)
                account = folder.standardizedFileURL.path
            #else
                account = folder.lastPathComponent
            #endif
        }

        private var query: [CFString: Any] {
            [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "glass.sign-in", kSecAttrAccount: account,
                kSecUseDataProtectionKeychain: true,
            ]
        }

        func token() throws -> String? {
            let wanted = query.merging([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]) { $1 }
            var found: CFTypeRef?
            let status = SecItemCopyMatching(wanted as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw KeychainError(status: status) }
            return String(decoding: data, as: UTF8.self)
        }

        func keep(_ token: String?) throws {
            guard let token else {
                let status = SecItemDelete(query as CFDictionary)
                guard status == errSecSuccess || status == errSecItemNotFound else {
                    throw KeychainError(status: status)
                }
                return
            }
            let value: [CFString: Any] = [
                kSecValueData: Data(token.utf8),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(query.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw KeychainError(status: status) }
        }
    }

    /// What the Keychain refused.
    struct KeychainError: Error, CustomStringConvertible {
        let status: OSStatus

        var description: String {
            let text = SecCopyErrorMessageString(status, nil) as String?
            // The data-protection Keychain belongs to groups, of which a signed app has one of its own.
            let advice =
                status == errSecMissingEntitlement
                ? "; sign the target with an application identifier or a keychain access group" : ""
            return "the Keychain refused: \(text ?? "no message") (\(status))\(advice)"
        }
    }
#endif
