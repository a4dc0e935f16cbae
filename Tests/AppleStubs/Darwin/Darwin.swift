// Linux's C library, with what Darwin's has instead or in addition. The widths of C types are those of Linux.
@_exported public import Glibc

// MARK: fcntl(2)

/// Writes a file to its drive and asks the drive to write it to its medium.
public var F_FULLFSYNC: Int32 { 51 }
/// Writes a file to its drive, before everything that follows.
public var F_BARRIERFSYNC: Int32 { 85 }

// MARK: pthread(3)

/// What a thread's number points to.
public struct _opaque_pthread_t {
    /// A member of the original.
    public var __sig: Int
}

/// A thread's number.
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

/// The number of the calling thread.
///
/// - Returns: The number.
public func pthread_self() -> pthread_t { UnsafeMutablePointer.allocate(capacity: 1) }

/// Creates a key for values of threads.
///
/// - Returns: 0, or an error.
public func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>!,
    _ destructor: (@convention(c) (UnsafeMutableRawPointer) -> Void)!
) -> Int32 { 0 }

// MARK: stat(2)

extension stat {
    /// The time of the last change of the content.
    public var st_mtimespec: timespec { st_mtim }
    /// The time of the last change of the content or its metadata.
    public var st_ctimespec: timespec { st_ctim }
}

// MARK: sysctl(3)

/// Reads a value of the kernel.
///
/// - Returns: 0, or -1 with `errno`.
@discardableResult
public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldSize: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newSize: Int
) -> Int32 { -1 }

// MARK: socket(2)

/// A stream; on Linux a case of an enumeration.
public var SOCK_STREAM: Int32 { 1 }
/// Writing to a closed connection raises no signal.
public var SO_NOSIGPIPE: Int32 { 0x1022 }

// MARK: posix_spawn(2)

/// Closes all files of the parent.
public var POSIX_SPAWN_CLOEXEC_DEFAULT: Int32 { 0x4000 }
/// A pointer here, and a structure on Linux.
public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
/// A pointer here, and a structure on Linux.
public typealias posix_spawnattr_t = UnsafeMutableRawPointer

/// Creates a list of actions.
@discardableResult
public func posix_spawn_file_actions_init(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!) -> Int32 { 0 }

/// Removes a list of actions.
@discardableResult
public func posix_spawn_file_actions_destroy(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }

/// Adds a copy of a descriptor.
@discardableResult
public func posix_spawn_file_actions_adddup2(
    _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t?>!, _ descriptor: Int32, _ number: Int32
) -> Int32 { 0 }

/// Creates attributes.
@discardableResult
public func posix_spawnattr_init(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

/// Removes attributes.
@discardableResult
public func posix_spawnattr_destroy(_ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

/// Sets the signals that start with their default.
@discardableResult
public func posix_spawnattr_setsigdefault(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

/// Sets the signals that are blocked.
@discardableResult
public func posix_spawnattr_setsigmask(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ signals: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

/// Sets the group of the process.
@discardableResult
public func posix_spawnattr_setpgroup(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ group: pid_t
) -> Int32 { 0 }

/// Sets the flags.
@discardableResult
public func posix_spawnattr_setflags(
    _ attributes: UnsafeMutablePointer<posix_spawnattr_t?>!, _ flags: Int16
) -> Int32 { 0 }

/// Starts a program.
///
/// - Returns: 0, or an error.
public func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!, _ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { 0 }
