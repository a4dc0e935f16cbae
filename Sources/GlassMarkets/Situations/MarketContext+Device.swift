package import Foundation
public import GlassSchema

extension MarketContext {
    /// The situation of this process, as far as the process can tell: the system and its version, the version of the
    /// app, and the languages of the person.
    ///
    /// ```swift
    /// let store = MarketStore(markets, context: .process(build: "beta"))
    /// ```
    ///
    /// - Parameters:
    ///   - build: The kind of build: `debug`, `beta` or `release`. Only the app knows it.
    ///   - deviceClass: The kind of device, such as `tablet`; if nil, the one that is usual for the system.
    /// - Returns: The context. Set what belongs to the session, such as `signedIn`, yourself.
    public static func process(build: String, deviceClass: String? = nil) -> MarketContext {
        var context = MarketContext(["build": .text(build), "platform": .text(systemName)])
        let version = ProcessInfo.processInfo.operatingSystemVersion
        context["osVersion"] = ContextVersion(
            "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        ).map { .version($0) }
        let app = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        if let app, let version = ContextVersion(app) { context["appVersion"] = .version(version) }
        context["deviceClass"] = .text(deviceClass ?? usualDeviceClass)
        context.languages = Locale.preferredLanguages
        return context
    }

    #if os(iOS)
        private static let (systemName, usualDeviceClass) = ("iOS", "phone")
    #elseif os(macOS)
        private static let (systemName, usualDeviceClass) = ("macOS", "desktop")
    #elseif os(watchOS)
        private static let (systemName, usualDeviceClass) = ("watchOS", "watch")
    #elseif os(tvOS)
        private static let (systemName, usualDeviceClass) = ("tvOS", "tv")
    #elseif os(visionOS)
        private static let (systemName, usualDeviceClass) = ("visionOS", "tablet")
    #else
        private static let (systemName, usualDeviceClass) = ("linux", "server")
    #endif
}

extension ContextDate {
    /// The whole second of a date.
    package init(_ date: Date) {
        self.init(secondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)))
    }
}

extension ContextLocalDate {
    /// What the clock of this device shows at an instant.
    init(_ date: ContextDate) {
        let seconds = TimeZone.current.secondsFromGMT(
            for: Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970)))
        self.init(secondsSince1970: date.secondsSince1970 + Int64(seconds))
    }
}
