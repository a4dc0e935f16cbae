// Mixed use of the live services for a long time, while servers fail and a second process is killed repeatedly.
// scripts/soak starts it, with loopback-server and a folder of markets that contain its port.
//
//     soak SECONDS MARKETS STATE SERVER          the app, which starts children and reports
//     soak child NAME MARKETS STATE SERVER       a child, which runs until it is killed or its standard input ends

import Foundation

let arguments = Array(CommandLine.arguments.dropFirst())
let isChild = arguments.first == "child"
guard arguments.count == (isChild ? 5 : 4), let server = URL(string: arguments[arguments.count - 1]) else {
    FileHandle.standardError.write(Data("usage: soak SECONDS MARKETS STATE SERVER\n".utf8))
    exit(64)
}
let place = SoakEnvironment(
    markets: arguments[arguments.count - 3], state: URL(filePath: arguments[arguments.count - 2]), server: server)
do {
    if isChild {
        try await SoakChild(name: arguments[1], place: place).run()
    } else {
        guard let seconds = Int(arguments[0]), seconds > 0 else {
            FileHandle.standardError.write(Data("soak: SECONDS is a whole number above 0\n".utf8))
            exit(64)
        }
        let isGood = try await Soak(duration: .seconds(seconds), place: place).run()
        exit(isGood ? 0 : 1)
    }
} catch {
    FileHandle.standardError.write(Data("soak: \(error)\n".utf8))
    exit(2)
}
