// On Apple's systems, Swift's types are bridged to those of Core Foundation with `as`. Linux has no bridging, so the names of
// Core Foundation mean Swift's own types here: a missing `as` is not found.

/// A number that says why a call failed.
public typealias OSStatus = Int32
/// An object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// A text of Core Foundation.
public typealias CFString = String
/// A dictionary of Core Foundation.
public typealias CFDictionary = [CFString: Any]

/// The call succeeded.
public var errSecSuccess: OSStatus { 0 }
/// There is no such item.
public var errSecItemNotFound: OSStatus { -25300 }
/// The program lacks an entitlement.
public var errSecMissingEntitlement: OSStatus { -34018 }

/// The key of an item's class.
public let kSecClass: CFString = "class"
/// The class of passwords that belong to no server.
public let kSecClassGenericPassword: CFString = "genp"
/// The key of an item's service.
public let kSecAttrService: CFString = "svce"
/// The key of an item's account.
public let kSecAttrAccount: CFString = "acct"
/// The key of when an item can be read.
public let kSecAttrAccessible: CFString = "pdmn"
/// From the first unlock on, and not on another device.
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The key of an item's content.
public let kSecValueData: CFString = "v_Data"
/// The key of whether the content is returned.
public let kSecReturnData: CFString = "r_Data"
/// The key of the number of items.
public let kSecMatchLimit: CFString = "m_Limit"
/// One item.
public let kSecMatchLimitOne: CFString = "m_LimitOne"
/// The key of whether macOS uses the same Keychain as iOS.
public let kSecUseDataProtectionKeychain: CFString = "nleg"

/// Finds items.
///
/// - Parameters:
///   - query: What they have.
///   - result: Receives what was found.
/// - Returns: Why it failed.
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }

/// Adds an item.
///
/// - Parameters:
///   - attributes: What it has.
///   - result: Receives the item.
/// - Returns: Why it failed.
public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus { 0 }

/// Changes items.
///
/// - Parameters:
///   - query: What they have.
///   - attributesToUpdate: What they get.
/// - Returns: Why it failed.
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus { 0 }

/// Removes items.
///
/// - Parameter query: What they have.
/// - Returns: Why it failed.
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { 0 }

/// The text for a failure.
///
/// - Parameters:
///   - status: The failure.
///   - reserved: `nil`.
/// - Returns: `nil` if there is no text.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? { nil }
