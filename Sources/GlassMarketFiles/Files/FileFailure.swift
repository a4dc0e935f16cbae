import Foundation

/// Why a file or folder could not be read.
package struct FileFailure: Error, Equatable {
    /// What a caller may want to tell apart.
    package enum Kind: Sendable, Equatable {
        /// There is no such file.
        case missing
        /// A link, or `..`, leads out of the folder.
        case leadsOut
        /// Anything else.
        case other
    }

    /// Which kind of reason it is.
    package let kind: Kind
    /// The reason in a few words, without the path that the caller names anyway.
    package let reason: String

    init(reason: String, kind: Kind = .other) {
        self.reason = reason
        self.kind = kind
    }

    /// The reason for which a system call failed.
    init(code: Int32) {
        switch code {
        case EXDEV: self = .leadsOut
        case ENXIO: self = .notRegular
        case ENOENT, ENOTDIR: self.init(reason: Self.text(code), kind: .missing)
        default: self.init(reason: Self.text(code))
        }
    }

    /// The reason for which a function of Foundation failed.
    init(_ error: any Error) {
        let cocoa = error as NSError
        let underlying = cocoa.userInfo[NSUnderlyingErrorKey] as? NSError
        if let posix = [underlying, cocoa].compactMap({ $0 }).first(where: { $0.domain == NSPOSIXErrorDomain }) {
            self.init(reason: Self.text(Int32(posix.code)))
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

    static let leadsOut = FileFailure(reason: "it is a link that leads out of its folder", kind: .leadsOut)
    static let isLink = FileFailure(reason: "it is a link: mend the file that it leads to")
    static let changed = FileFailure(reason: "somebody changed it in the meantime; try again")
    static let notRegular = FileFailure(reason: "it is not a regular file")

    private static func text(_ code: Int32) -> String { String(cString: strerror(code)).lowercased() }
}

extension Error {
    /// Why the system refused something, in a few words without the path; for errors of Foundation's file functions.
    package var systemReason: String { FileFailure(self).reason }
}
