import GlassBase
#if os(Linux)
    import Foundation
    import GlassDeepLinking

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Detects changes by the system's notifications (inotify) for the folder, the folders below it, and the folders
    /// that symbolic links lead into.
    ///
    /// The notifications only show that something happened; the files themselves show what. A folder that is deleted,
    /// renamed or replaced no longer sends any, so once a second the path is compared with the watched folder.
    final class InotifySource: ChangeSource {
        private let path: String
        private let descriptor: Int32
        private let pipe: WakePipe
        private let watched: Lock<Watched>

        private struct Watched {
            /// The folder that is being watched at the path; nil if there is none.
            var root: FolderScan.Entry?
            /// The folder of each watch, by the watch's number.
            var folders: [Int32: String] = [:]
        }

        /// The interval at which the path is compared with the watched folder, and the interval while there is no such
        /// folder.
        private static let (checkInterval, lostInterval) = (Duration.seconds(1), Duration.milliseconds(100))
        private static let events = UInt32(
            IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
                | IN_DELETE_SELF | IN_MOVE_SELF)

        /// Creates a source. Changes from now on are detected.
        init(_ path: String) throws(FileFailure) {
            self.path = path
            let pipe = try WakePipe()
            self.pipe = pipe
            watched = Lock(Watched())
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { throw Self.failure() }
            // If this throws, `deinit` runs, because every property is set, and closes the descriptor.
            if let failure = arm() { throw failure }
        }

        deinit {
            if descriptor >= 0 { close(descriptor) }
        }

        func wait(_ limit: Duration?) -> ChangeSourceReport {
            let deadline = limit.map { ContinuousClock.now + $0 }
            while true {
                let interval = watched.withLock { $0.root } == nil ? Self.lostInterval : Self.checkInterval
                let remaining = deadline.map { max($0 - ContinuousClock.now, .zero) } ?? interval
                let (isWoken, isReadable) = pipe.wait(with: descriptor, limit: min(interval, remaining))
                if isWoken { return .stopped }
                if isReadable, drain() {
                    // Watch first and report then, so that the reload that follows the report covers any change in
                    // between.
                    _ = arm()
                    return .changed
                }
                if !isSameRoot() {
                    _ = arm()
                    return .changed
                }
                if let deadline, ContinuousClock.now >= deadline { return .quiet }
            }
        }

        func stop() {
            pipe.wake()
        }

        /// Reads the pending notifications, and returns whether there were any.
        private func drain() -> Bool {
            let size = 16 * 1024
            let buffer = UnsafeMutableRawPointer.allocate(
                byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
            defer { buffer.deallocate() }
            var isChanged = false
            while true {
                let count = read(descriptor, buffer, size)
                guard count > 0 else { return isChanged }
                var offset = 0
                while offset < count {
                    let event = (buffer + offset).load(as: inotify_event.self)
                    // A lost notification (IN_Q_OVERFLOW) is a change like any other, because everything is read again.
                    if event.mask & UInt32(IN_IGNORED) != 0 {
                        watched.withLock { _ = $0.folders.removeValue(forKey: event.wd) }
                    }
                    isChanged = true
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }

        /// Watches every folder that exists now. Folders that are already watched remain so.
        private func arm() -> FileFailure? {
            let scan = FolderScan(path)
            var failure: FileFailure?
            var folders: [Int32: String] = [:]
            for folder in scan.folders + scan.linkedFolders {
                let number = inotify_add_watch(descriptor, folder, Self.events | UInt32(IN_ONLYDIR))
                if number >= 0 {
                    folders[number] = folder
                } else if errno != ENOENT, errno != ENOTDIR, errno != EACCES {
                    failure = Self.failure()
                }
            }
            watched.withLock { watched in
                // A folder that was moved out of the path keeps its watch, although its changes no longer matter.
                for number in watched.folders.keys where folders[number] == nil { inotify_rm_watch(descriptor, number) }
                watched.folders = folders
                watched.root = scan.entries[path].flatMap { $0.isFolder ? $0 : nil }
            }
            return failure
        }

        private func isSameRoot() -> Bool {
            let now = FolderScan.Entry(path).flatMap { $0.isFolder ? $0 : nil }
            let before = watched.withLock { $0.root }
            guard let now, let before else { return now == nil && before == nil }
            return now.isSameFile(as: before)
        }

        private static func failure() -> FileFailure {
            let reason =
                switch errno {
                case ENOSPC: "all inotify watches are in use (fs.inotify.max_user_watches)"
                case EMFILE: "all inotify instances are in use (fs.inotify.max_user_instances)"
                default: String(cString: strerror(errno)).lowercased()
                }
            return FileFailure(reason: reason)
        }
    }
#endif
