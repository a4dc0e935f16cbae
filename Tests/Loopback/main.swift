// The servers of a market on loopback: scripts/live and scripts/soak start it, and stop it.
//
//     loopback-server [SITE]  prints `port N`, then serves until it is killed or its standard input ends
//
// SITE is the folder with the association files that it serves.

import FlyingFox
import FlyingSocks
import Foundation

guard CommandLine.arguments.count <= 2 else {
    FileHandle.standardError.write(Data("usage: loopback-server [SITE]\n".utf8))
    exit(64)
}

let loopback = LoopbackServer(site: CommandLine.arguments.dropFirst().first.map { URL(filePath: $0) })
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
await server.appendRoute("*") { request in try await loopback.answer(request) }
let serving = Task { try await server.run() }
try await server.waitUntilListening()
let address = await server.listeningAddress
guard case .ip4(_, let port)? = address else {
    FileHandle.standardError.write(Data("loopback-server: no port\n".utf8))
    exit(2)
}
FileHandle.standardOutput.write(Data("port \(port)\n".utf8))
Thread.detachNewThread {
    // The end of standard input means that the parent has ended, in whatever way.
    while readLine() != nil {}
    exit(0)
}
try await serving.value
