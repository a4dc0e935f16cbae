import Foundation
import GlassBase

extension FileFailure {
    /// Creates a failure from an error of a Foundation function.
    init(_ error: any Error) {
        let cocoa = error as NSError
        let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError
        if let posix = [underlying, cocoa].compactMap({ $0 }).first(where: { $0.domain == NSPOSIXErrorDomain }) {
            self.init(reason: String(cString: strerror(Int32(posix.code))).lowercased())
            return
        }
        switch CocoaError.Code(rawValue: cocoa.code) {
        case .fileReadNoSuchFile, .fileNoSuchFile: self.init(code: ENOENT)
        case .fileReadNoPermission, .fileWriteNoPermission: self.init(reason: "permission denied")
        case .fileWriteVolumeReadOnly: self.init(reason: "read-only file system")
        case .fileWriteOutOfSpace: self.init(reason: "no space left on device")
        case .fileWriteUnknown: self.init(reason: "the location is not writable")
        case .fileWriteFileExists: self.init(code: EEXIST)
        // For errors without a text, Foundation's description contains only the domain and the number, which do not
        // help.
        default:
            let text = cocoa.localizedDescription
            self.init(reason: text.contains(cocoa.domain) ? "unknown system error" : text)
        }
    }
}

extension Error {
    /// The reason for an error of Foundation's file functions, in a few words and without the path.
    package var systemReason: String { (self as? FileFailure)?.reason ?? FileFailure(self).reason }
}
