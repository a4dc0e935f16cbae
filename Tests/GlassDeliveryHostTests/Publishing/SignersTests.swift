import Foundation
import GlassBase
@testable import GlassDeliveryHost
import Testing

@Suite struct SignersTests {
    private let metadata = SignedMetadata(
        StrictJSON.object([("_type", .string("targets")), ("note", .string("é\u{1}\"\\/"))]))

    @Test func keyThatSignsTwiceCountsOnce() throws {
        let folder = try PublishingFolder()
        let key = try KeyFile.make(at: folder.path("a.pem"))
        var signed = metadata
        let keys = RoleKeys([RoleKeys.Entry(key.publicKey)], threshold: 1)
        try Signers(files: [key, key]).sign(&signed, as: "targets", keys)
        #expect(signed.signatures.map(\.keyID) == [key.publicKey.id])
        #expect(keys.signatures(of: signed) == 1)
        let again = try Signers(files: [key]).sign(&signed, as: "targets", keys)
        #expect(again.isEmpty)
        #expect(signed.signatures.count == 1)
    }

    @Test func signatureCoversCanonicalForm() throws {
        let folder = try PublishingFolder()
        let key = try KeyFile.make(at: folder.path("a.pem"))
        var signed = metadata
        let keys = RoleKeys([RoleKeys.Entry(key.publicKey)], threshold: 1)
        try Signers(files: [key]).sign(&signed, as: "targets", keys)
        let canonical = Array("{\"_type\":\"targets\",\"note\":\"é\u{1}\\\"\\\\/\"}".utf8)
        let digits = signed.signatures[0].signature
        let signature = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(digits.dropFirst($0).prefix(2), radix: 16)
        }
        #expect(key.publicKey.isSignature(signature, of: canonical))
        // The file contains it as JSON that every reader can parse.
        #expect(String(decoding: signed.bytes, as: UTF8.self).contains(#""note":"é\u0001\"\\/""#))
        #expect(try SignedMetadata(reading: signed.bytes, "file") == signed)
    }

    @Test func keyOfOtherRoleSignsNothing() throws {
        let folder = try PublishingFolder()
        let (own, other) = (try KeyFile.make(at: folder.path("a.pem")), try KeyFile.make(at: folder.path("b.pem")))
        var signed = metadata
        let keys = RoleKeys([RoleKeys.Entry(own.publicKey)], threshold: 1)
        #expect(try Signers(files: [other]).sign(&signed, as: "targets", keys).isEmpty)
        #expect(!keys.isMet(by: signed))
    }

    @Test func signerCommandUsesItsKey() throws {
        let folder = try PublishingFolder()
        let (own, other) = (try KeyFile.make(at: folder.path("a.pem")), try KeyFile.make(at: folder.path("b.pem")))
        var signed = metadata
        let keys = RoleKeys([other, own].map { RoleKeys.Entry($0.publicKey) }, threshold: 1)
        let command = SignerCommand(
            "test $GLASS_ROLE = targets && cat > \(folder.path("in")) && openssl pkeyutl -sign -rawin -inkey \(own.path) "
                + "-in \(folder.path("in")) | od -An -v -tx1 | tr -d ' \\n'")
        #expect(try Signers(commands: [command]).sign(&signed, as: "targets", keys) == [own.publicKey.id])
        #expect(keys.isMet(by: signed))
    }

    @Test(arguments: [
        ("true", nil),
        ("exit 3", "the signer `exit 3` exited with status 3 when signing targets"),
        (
            "echo hello",
            "the signer `echo hello` did not print a hexadecimal signature for targets; it must print only that"
        ),
        ("echo 00ff", "the signature by the signer `echo 00ff` matches no key of targets"),
    ])
    func failedSignerCommandIsExplained(_ command: String, _ text: String?) throws {
        let folder = try PublishingFolder()
        let key = try KeyFile.make(at: folder.path("a.pem"))
        var signed = metadata
        let keys = RoleKeys([RoleKeys.Entry(key.publicKey)], threshold: 1)
        let signers = Signers(commands: [SignerCommand(command)])
        guard let text else {
            #expect(try signers.sign(&signed, as: "targets", keys).isEmpty)
            return
        }
        #expect(throws: PublishingError.impossible(text)) { try signers.sign(&signed, as: "targets", keys) }
        #expect(signed.signatures.isEmpty)
    }
}
