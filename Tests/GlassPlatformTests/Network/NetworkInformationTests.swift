import GlassBase
import Foundation
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NetworkInformationTests {
    /// A source that a test controls.
    final class ScriptedSource: NetworkInformationSource {
        let state = Lock<(now: NetworkInformation, onChange: (@Sendable () -> Void)?, stops: Int)>(
            (NetworkInformation(), nil, 0))
        func read() -> NetworkInformation { state.withLock { $0.now } }
        func start(_ onChange: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = onChange } }
        func stop() {
            state.withLock { state in
                state.stops += 1
                state.onChange = nil
            }
        }
        func set(_ information: NetworkInformation) {
            state.withLock { state in
                state.now = information
                return state.onChange
            }?()
        }
    }

    static let cable = NetworkInterface(name: "eth0", kind: .ethernet, isUp: true, addresses: ["192.0.2.7"])
    static let phone = NetworkInterface(name: "wwan0", kind: .cellular, isUp: true, addresses: ["192.0.2.8"])
    static let loopback = NetworkInterface(name: "lo", kind: .loopback, isUp: true, addresses: ["127.0.0.1", "::1"])

    @Test(
        arguments: [
            ([], false, false), ([loopback], false, false), ([loopback, cable], true, false),
            ([phone], true, true), ([phone, cable], true, false),
            ([NetworkInterface(name: "eth0", kind: .ethernet, isUp: false, addresses: ["192.0.2.7"])], false, false),
            ([NetworkInterface(name: "eth0", kind: .ethernet, isUp: true)], false, false),
            (
                [NetworkInterface(name: "eth0", kind: .ethernet, isUp: true, addresses: ["169.254.1.1", "FE80::1"])],
                false, false
            ),
            ([NetworkInterface(name: "eth0", kind: .ethernet, isUp: true, addresses: ["2001:db8::1"])], true, false),
        ] as [([NetworkInterface], Bool, Bool)])
    func interfacesDetermineState(interfaces: [NetworkInterface], connected: Bool, expensive: Bool) {
        let information = NetworkInformation(interfaces: interfaces)
        #expect(information.isConnected == connected)
        #expect(information.isExpensive == expensive)
    }

    @Test func listenersGetStateAndEachChangeOnce() async throws {
        let source = ScriptedSource()
        let monitor = NetworkInformationMonitor(source: source)
        var first = monitor.changes().makeAsyncIterator()
        #expect(await first.next() == NetworkInformation())
        source.set(NetworkInformation(interfaces: [Self.cable]))
        #expect(await first.next()?.isConnected == true)
        var second = monitor.changes().makeAsyncIterator()
        #expect(await second.next()?.isConnected == true)
        // The same state again is not a change: the next value is the one after it.
        source.set(NetworkInformation(interfaces: [Self.cable]))
        source.set(NetworkInformation(interfaces: [Self.phone]))
        #expect(await first.next()?.isExpensive == true)
        #expect(await second.next()?.isExpensive == true)
    }

    @Test func slowReaderGetsLatestState() async throws {
        let source = ScriptedSource()
        let monitor = NetworkInformationMonitor(source: source)
        let changes = monitor.changes()
        for interfaces in [[Self.cable], [], [Self.phone]] { source.set(NetworkInformation(interfaces: interfaces)) }
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next()?.interfaces == [Self.phone])
    }

    @Test func releasedMonitorStopsSourceAndStreams() async throws {
        let source = ScriptedSource()
        var monitor: NetworkInformationMonitor? = NetworkInformationMonitor(source: source)
        var iterator = try #require(monitor).changes().makeAsyncIterator()
        _ = await iterator.next()
        monitor = nil
        #expect(await iterator.next() == nil)
        #expect(source.state.withLock { $0.stops } == 1)
        let disposed = NetworkInformationMonitor(source: ScriptedSource())
        disposed.dispose()
        var late = disposed.changes().makeAsyncIterator()
        #expect(await late.next() != nil)
        #expect(await late.next() == nil)
    }

    @Test func scriptReadsInterfaces() async throws {
        let mock = NetworkInformationProviderMock()
        #expect(try await call(mock.scriptMethods, "isConnected") == true)
        mock.set(NetworkInformation(interfaces: [Self.phone], isConstrained: true))
        #expect(try await call(mock.scriptMethods, "isExpensive") == true)
        #expect(try await call(mock.scriptMethods, "isConstrained") == true)
        #expect(
            try await call(mock.scriptMethods, "interfaces") == [
                ["name": "wwan0", "kind": "cellular", "isUp": true, "addresses": ["192.0.2.8"]]
            ])
    }

    #if os(Linux)
        @Test func kernelListsLoopbackInterface() throws {
            let loopback = try #require(NetworkInformationMonitor().current.interfaces.first { $0.name == "lo" })
            #expect(loopback.kind == .loopback)
            #expect(loopback.addresses.first == "127.0.0.1")
        }

        @Test(
            arguments: [
                (["wireless/x": ""], .wifi), (["phy80211/x": ""], .wifi), (["uevent": "DEVTYPE=wlan\n"], .wifi),
                (["uevent": "DEVTYPE=wwan\n", "type": "1\n"], .cellular),
                (["uevent": "DEVTYPE=wireguard\n", "type": "65534\n"], .tunnel),
                (["tun_flags": "0x1001\n", "type": "65534\n"], .tunnel), (["type": "1\n"], .ethernet),
                (["type": "512\n"], .other), ([:], .other),
            ] as [([String: String], NetworkInterface.Kind)])
        func kindFollowsKernelDescription(files: [String: String], kind: NetworkInterface.Kind) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "net-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }  // the system empties the temporary folder
            for (name, text) in files {
                let file = folder.appending(path: "if0").appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            #expect(NetlinkInformationSource(folder: folder).kind(of: "if0") == kind)
        }

        /// Adding an address requires privileges that a test run may not have.
        static let mayChangeAddresses = changeAddress("add", "127.77.1.1") && changeAddress("del", "127.77.1.1")

        @discardableResult
        static func changeAddress(_ verb: String, _ address: String) -> Bool {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["ip", "addr", verb, "\(address)/32", "dev", "lo"]
            process.standardError = nil
            process.standardOutput = nil
            do { try process.run() } catch { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }

        @Test(.enabled(if: mayChangeAddresses)) func kernelReportsAddedAndRemovedAddress() async throws {
            let address = "127.77.\(Int.random(in: 2...250)).\(Int.random(in: 2...250))"
            let monitor = NetworkInformationMonitor()
            var changes = monitor.changes().makeAsyncIterator()
            func has(_ information: NetworkInformation?) -> Bool {
                information?.interfaces.contains { $0.addresses.contains(address) } == true
            }
            #expect(!has(await changes.next()))
            #expect(Self.changeAddress("add", address))
            while !has(await changes.next()) {}
            #expect(Self.changeAddress("del", address))
            while has(await changes.next()) {}
            monitor.dispose()
            while await changes.next() != nil {}
        }
    #endif
}
