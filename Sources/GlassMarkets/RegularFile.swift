import Foundation

/// Reads files that somebody else names.
enum RegularFile {
    /// Reads a file; refuses folders, devices and pipes, which could have no end.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The largest file that is read whole; of a larger one the first `limit + 1` bytes.
    /// - Returns: The bytes.
    /// - Throws: ``Failure`` with the reason in a few words.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        do {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw Failure(reason: "it is not a regular file")
            }
            let handle = try FileHandle(forReadingFrom: target)
            defer { handle.closeFile() }
            return [UInt8](try handle.read(upToCount: limit + 1) ?? Data())
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(error)
        }
    }

    /// Why a file or folder could not be read.
    struct Failure: Error, Equatable {
        /// The system's reason in a few words, without the path that the caller names anyway.
        let reason: String

        init(reason: String) {
            self.reason = reason
        }

        init(_ error: any Error) {
            let cocoa = error as NSError
            let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError
            if let posix = [underlying, cocoa].compactMap({ $0 }).first(where: { $0.domain == NSPOSIXErrorDomain }) {
                reason = String(cString: strerror(Int32(posix.code))).lowercased()
                return
            }
            switch CocoaError.Code(rawValue: cocoa.code) {
            case .fileReadNoSuchFile, .fileNoSuchFile: reason = "no such file or directory"
            case .fileReadNoPermission, .fileWriteNoPermission: reason = "permission denied"
            case .fileWriteVolumeReadOnly: reason = "read-only file system"
            case .fileWriteOutOfSpace: reason = "no space left on device"
            case .fileWriteUnknown: reason = "nothing can be written there"
            default: reason = cocoa.localizedDescription
            }
        }
    }
}

extension Error {
    /// Why the system refused something, in a few words without the path; for errors of Foundation's file functions.
    package var systemReason: String { RegularFile.Failure(self).reason }
}
