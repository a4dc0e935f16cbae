package import Foundation
import GlassBase

#if canImport(Security)
    import Security
#endif

/// Stores the token of a signed-in customer separately from the app's other data, which is less protected.
package protocol SignInTokens: Sendable {
    /// The token; `nil` if no customer is signed in.
    func token() throws -> String?

    /// Stores a token; `nil` removes it.
    func keep(_ token: String?) throws

    /// The file with the token; `nil` if it is elsewhere.
    var place: URL? { get }
}

extension SignInTokens {
    package var place: URL? { nil }
}

/// Selects the storage for tokens.
enum SignInTokenStorage {
    /// The storage for a host with a state folder: the Keychain on Apple systems; elsewhere, a separate file that only
    /// its owner can read.
    static func tokens(for host: PlatformHost) -> any SignInTokens {
        guard let folder = host.stateFolder else { return SignInTokensInMemory() }
        #if canImport(Security)
            return SignInTokensInKeychain(folder: folder)
        #else
            return SignInTokensInFile(folder: folder, timeout: host.storage.busyTimeout)
        #endif
    }
}

/// A token in memory, which is lost when the process ends.
package final class SignInTokensInMemory: SignInTokens {
    private let kept = Lock<String?>(nil)

    /// Creates an empty storage.
    package init() {}

    package func token() -> String? { kept.withLock { $0 } }

    package func keep(_ token: String?) { kept.withLock { $0 = token } }
}

/// A token in a file with mode 0600, which is always replaced as a whole.
package struct SignInTokensInFile: SignInTokens {
    let file: AtomicFile

    /// Creates a value for the file `sign-in.token` in a state folder. Opens nothing.
    package init(folder: URL, timeout: Duration) {
        file = AtomicFile(folder.appending(path: "sign-in.token"), timeout: timeout)
    }

    package var place: URL? { file.url }

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
    /// A token in the Keychain, accessible after the first unlock and only on this device.
    ///
    /// Untested: the tests of this package run on Linux, which has no Keychain.
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

    /// An error of the Keychain.
    struct KeychainError: Error, CustomStringConvertible {
        let status: OSStatus

        var description: String {
            let text = SecCopyErrorMessageString(status, nil) as String?
            // The data protection Keychain is organized in groups, and a signed app has its own.
            let advice =
                status == errSecMissingEntitlement
                ? "; sign the target with an application identifier or a keychain access group" : ""
            return "the Keychain failed: \(text ?? "no message") (\(status))\(advice)"
        }
    }
#endif
