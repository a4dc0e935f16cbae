import Foundation
import GlassBase

extension FileFailure {
    /// The reason for which a function of Foundation failed.
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
        case .fileWriteUnknown: self.init(reason: "nothing can be written there")
        case .fileWriteFileExists: self.init(code: EEXIST)
        // What Foundation says of an error that it has no text for names its domain and number, which help nobody.
        default:
            let text = cocoa.localizedDescription
            self.init(reason: text.contains(cocoa.domain) ? "the system refused it" : text)
        }
    }
}

extension Error {
    /// Why the system refused something, in a few words without the path; for errors of Foundation's file functions.
    package var systemReason: String { (self as? FileFailure)?.reason ?? FileFailure(self).reason }
}
