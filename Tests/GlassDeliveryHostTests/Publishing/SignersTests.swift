import Foundation
import GlassBase
import GlassDeliveryHost
import Testing

@Suite struct SignersTests {
    private let metadata = SignedMetadata(
        StrictJSON.object([("_type", .string("targets")), ("note", .string("é\u{1}\"\\/"))]))

    @Test func aKeyThatSignsTwiceOrUnderTwoIdsCountsOnce() throws {
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

    @Test func aSignatureIsOverTheCanonicalForm() throws {
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
        // The file has it as JSON that every reader takes back.
        #expect(String(decoding: signed.bytes, as: UTF8.self).contains(#""note":"é\u0001\"\\/""#))
        #expect(try SignedMetadata(reading: signed.bytes, "file") == signed)
    }

    @Test func aKeyOfAnotherRoleSignsNothing() throws {
        let folder = try PublishingFolder()
        let (own, other) = (try KeyFile.make(at: folder.path("a.pem")), try KeyFile.make(at: folder.path("b.pem")))
        var signed = metadata
        let keys = RoleKeys([RoleKeys.Entry(own.publicKey)], threshold: 1)
        #expect(try Signers(files: [other]).sign(&signed, as: "targets", keys).isEmpty)
        #expect(!keys.isMet(by: signed))
    }

    @Test func aCommandSignsWithTheKeyThatItHas() throws {
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
        ("exit 3", "the signer `exit 3` ended with status 3 when asked to sign targets"),
        (
            "echo hello",
            "the signer `echo hello` answered no hexadecimal digits for targets; it must print the signature alone"
        ),
        ("echo 00ff", "the signer `echo 00ff` answered a signature that is of no key of targets"),
    ])
    func aCommandThatDoesNotSignSaysWhy(_ command: String, _ text: String?) throws {
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
