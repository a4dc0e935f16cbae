import Foundation
@testable import GlassDeliveryHost
import Testing

@Suite struct KeyFileTests {
    /// The key `root-a` and a P-256 key from the published test vectors, as Python's cryptography writes them.
    static let ed25519 = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIHfqJlnM0wFSmhNvNlB6eNzjGFFUazN7cWJ4OeO9z81o
        -----END PRIVATE KEY-----

        """
    static let p256 = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg6Sh3rCXgPzq1wXS2
        61IjYUMdumpJFi/yxPvoJu0puKChRANCAARV8eWhViRhgANjKze7V4OY1TSoMAPi
        UpolcFvHlGPLcODUHre49rc7cNt5m4SsBbjOwl6rDivU4V50zTciX26e
        -----END PRIVATE KEY-----

        """

    @Test func pythonKeyHasIDThatPythonComputes() throws {
        let folder = try PublishingFolder()
        let key = try KeyFile(reading: folder.write(Self.ed25519, to: "key.pem"))
        #expect(key.publicKey.text == "908a3235a38fc98cccff566a6b7223203f5ee69dd4bda844fda65bea3b3cd106")
        #expect(key.publicKey.id == "8b1362cfa9d728b8d2ad57b29e703d6f45af3df54fdc4ff100212eb446d9cf8d")
        #expect(key.privateKey != nil)
    }

    @Test func p256KeyHasTextThatPythonWrites() throws {
        let folder = try PublishingFolder()
        let key = try KeyFile(reading: folder.write(Self.p256, to: "key.pem"))
        #expect(
            key.publicKey.text == """
                -----BEGIN PUBLIC KEY-----
                MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEVfHloVYkYYADYys3u1eDmNU0qDAD
                4lKaJXBbx5Rjy3Dg1B63uPa3O3DbeZuErAW4zsJeqw4r1OFedM03Il9ung==
                -----END PUBLIC KEY-----

                """)
    }

    @Test(arguments: KeyAlgorithm.allCases)
    func newKeySignsAndIsReadableByOwnerOnly(_ algorithm: KeyAlgorithm) throws {
        let folder = try PublishingFolder()
        let key = try KeyFile.make(at: folder.path("new.pem"), algorithm)
        let signature = try #require(try key.privateKey?.signature(for: [1, 2, 3]))
        #expect(key.publicKey.isSignature(signature, of: [1, 2, 3]))
        #expect(!key.publicKey.isSignature(signature, of: [1, 2, 4]))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("new.pem"))
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let half = try KeyFile(reading: folder.path("new.pub"))
        #expect(half.publicKey == key.publicKey)
        #expect(half.privateKey == nil)
    }

    @Test func existingKeyIsNeverOverwritten() throws {
        let folder = try PublishingFolder()
        let before = try folder.write(Self.ed25519, to: "key.pem")
        #expect(throws: PublishingError.impossible("cannot write the key \(before): file exists")) {
            _ = try KeyFile.make(at: before)
        }
        #expect(try String(contentsOfFile: before, encoding: .utf8) == Self.ed25519)
    }

    @Test func opensslReadsAndWritesSameKeys() throws {
        let folder = try PublishingFolder()
        let key = try KeyFile.make(at: folder.path("ours.pem"))
        let published = try Self.openssl("pkey", "-in", key.path, "-pubout")
        #expect(try KeyFile(reading: folder.write(published, to: "ours.pub.pem")).publicKey == key.publicKey)
        let theirs = try Self.openssl("genpkey", "-algorithm", "ed25519")
        #expect(try KeyFile(reading: folder.write(theirs, to: "theirs.pem")).privateKey != nil)
        let curve = try Self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        #expect(try KeyFile(reading: folder.write(curve, to: "curve.pem")).privateKey != nil)
    }

    @Test(arguments: [
        (
            "MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDCagd7zLSwv56qQ7JLC", "PRIVATE KEY",
            "is damaged"
        ),
        ("MDkCAQAwBgYEKwYBBAMEAQA=", "PRIVATE KEY", "is damaged"),
        (
            "MAA=", "ENCRYPTED PRIVATE KEY",
            "is encrypted; sign with --signer, or decrypt it with openssl pkcs8 -in FILE -out NEW"
        ),
        (
            "MAA=", "EC PRIVATE KEY",
            "is not PKCS#8; convert it with openssl pkcs8 -topk8 -nocrypt -in FILE -out NEW"
        ),
        ("MAA=", "CERTIFICATE", "contains a certificate, not a private key"),
        ("MBMCAQAwCAYGKwYBBAGCBAQBAA==", "PRIVATE KEY", "is damaged"),
    ])
    func unusableKeyFileIsExplained(_ content: String, _ label: String, _ phrase: String) throws {
        let folder = try PublishingFolder()
        let path = try folder.write(
            "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n", to: "key.pem")
        #expect(throws: PublishingError.impossible("the key \(path) \(phrase)")) { _ = try KeyFile(reading: path) }
    }

    @Test func unsupportedKeyTypeListsSupportedOnes() throws {
        let folder = try PublishingFolder()
        let key = try Self.openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384")
        let path = try folder.write(key, to: "key.pem")
        #expect(
            throws: PublishingError.impossible(
                "the key \(path) is of an unsupported kind; supported are Ed25519 and ECDSA P-256")
        ) { _ = try KeyFile(reading: path) }
    }

    @Test(arguments: [0o640, 0o604, 0o644, 0o660])
    func privateKeyReadableByOthersIsRejected(_ mode: Int) throws {
        let folder = try PublishingFolder()
        let path = try folder.write(Self.ed25519, to: "key.pem", mode: mode)
        #expect(
            throws: PublishingError.impossible(
                "other users can read the private key \(path); restrict it with chmod 600")
        ) { _ = try KeyFile(reading: path) }
    }

    @Test func missingKeysAreErrors() throws {
        let folder = try PublishingFolder()
        #expect(
            throws: PublishingError.impossible("there is no key in \(folder.path("")): it contains no .pem file")
        ) { _ = try KeyFile.all(at: folder.path("")) }
        #expect(
            throws: PublishingError.impossible(
                "cannot read the key \(folder.path("no.pem")): no such file or directory")
        ) { _ = try KeyFile.all(at: folder.path("no.pem")) }
    }

    private static func openssl(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }
}
