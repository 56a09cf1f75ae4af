import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// PCM in all containers and widths, made by SoX and compared with what SoX decodes.
@Suite(.enabled(if: Tool.exist("sox"), "SoX is not installed"))
struct WaveVariantsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Tool.run(
      "sox", "-R", "-n", "-r", "22050", "-c", "2", "-b", "32", folder.appending("source.wav").path, "synth", "0.5",
      "sine", "300-3000", "pinknoise", "gain", "-6")
  }

  struct Variant: CustomTestStringConvertible {
    let name: String
    let options: [String]
    let codec: Codec
    var isExact = true
    var testDescription: String { "\(name) \(options.joined(separator: " "))" }
  }

  @Test(arguments: [
    Variant(name: "a.wav", options: ["-b", "8", "-e", "unsigned"], codec: .pcmU8),
    Variant(name: "a.wav", options: ["-b", "16"], codec: .pcmS16),
    Variant(name: "a.wav", options: ["-b", "24"], codec: .pcmS24),
    Variant(name: "a.wav", options: ["-b", "32", "-e", "signed"], codec: .pcmS32),
    Variant(name: "a.wav", options: ["-b", "32", "-e", "float"], codec: .pcmF32),
    Variant(name: "a.wav", options: ["-b", "64", "-e", "float"], codec: .pcmF64),
    Variant(name: "a.wav", options: ["-e", "a-law"], codec: .aLaw),
    Variant(name: "a.wav", options: ["-e", "mu-law"], codec: .muLaw),
    Variant(name: "a.wav", options: ["-e", "ima-adpcm"], codec: .imaADPCM, isExact: false),
    Variant(name: "a.wav", options: ["-e", "ms-adpcm"], codec: .msADPCM, isExact: false),
    Variant(name: "a.aiff", options: ["-b", "8"], codec: .pcmS8),
    Variant(name: "a.aiff", options: ["-b", "16"], codec: .pcmS16),
    Variant(name: "a.aiff", options: ["-b", "24"], codec: .pcmS24),
    Variant(name: "a.aifc", options: ["-b", "16"], codec: .pcmS16),
    Variant(name: "a.w64", options: ["-b", "24"], codec: .pcmS24),
    Variant(name: "a.caf", options: ["-b", "16"], codec: .pcmS16),
    Variant(name: "a.au", options: ["-b", "16"], codec: .pcmS16),
    Variant(name: "a.au", options: ["-b", "24"], codec: .pcmS24),
    Variant(name: "a.au", options: ["-b", "32", "-e", "float"], codec: .pcmF32),
    Variant(name: "a.au", options: ["-e", "a-law"], codec: .aLaw),
  ])
  // Faults: 17
  func `a variant decodes to what SoX decodes`(_ variant: Variant) throws {
    let file = folder.appending(variant.name)
    // Without dither, so that every variant has the same samples.
    try Tool("sox")?.run(["-D", folder.appending("source.wav").path] + variant.options + [file.path])
    try Tool.run("sox", "-D", file.path, "-t", "raw", "-e", "float", "-b", "32", folder.appending("reference").path)
    let reference = try Data(contentsOf: folder.appending("reference")).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.codec == variant.codec)
    let isFloat = [.pcmF32, .pcmF64].contains(variant.codec)
    #expect(decoded.format.sampleEncoding == (isFloat ? .floatingPoint : .integer))
    #expect(decoded.format.sampleRateInHz == 22_050)
    #expect(decoded.format.channelCount == 2)
    #expect(decoded.frameCount == 11_025)
    #expect(decoded.mediaFormat.declaredFrameCount == 11_025)
    #expect(reference.count >= 22_050)
    let tolerance: Float = variant.isExact ? 1 / 8_388_608 : 2 / 32_768
    #expect(!zip(decoded.samples, reference).contains { abs($0 - $1) > tolerance })
    #expect(decoded.samples.contains { abs($0) > 0.2 })
  }

  // Faults: 17
  @Test func `GSM decodes to what SoX decodes`() throws {
    let file = folder.appending("a.wav")
    try Tool.run(
      "sox", "-D", folder.appending("source.wav").path, "-r", "8000", "-c", "1", "-e", "gsm-full-rate", file.path)
    try Tool.run("sox", "-D", file.path, "-t", "raw", "-e", "float", "-b", "32", folder.appending("reference").path)
    let reference = try Data(contentsOf: folder.appending("reference")).withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
    }
    let decoded = try DecodedFile(file)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.codec == .gsm610)
    #expect(decoded.frameCount == 4000)
    #expect(reference.count >= 4000)
    #expect(!zip(decoded.samples, reference).contains { abs($0 - $1) > 2 / 32_768 })
    #expect(decoded.samples.contains { abs($0) > 0.2 })
  }

  // Faults: 17
  @Test(arguments: ["ima-adpcm", "ms-adpcm", "gsm-full-rate"])
  func `a seek into a block of compressed samples finds the right frame`(_ encoding: String) throws {
    let file = folder.appending("a.wav")
    try Tool.run("sox", "-D", folder.appending("source.wav").path, "-r", "8000", "-c", "1", "-e", encoding, file.path)
    let whole = try DecodedFile(file)
    let open = try OpenFile(file)
    let decoder = try open.decoder()
    #expect(whole.frameCount == 4000)
    for position in [0, 1, 319, 320, 321, 505, 1000, 2037, 3999, 7] {
      try decoder.seek(toFrame: Int64(position))
      #expect(try decoder.readFrames(5000) == Array(whole.samples[position...]), "at \(position)")
    }
  }

  // Faults: 13
  @Test(arguments: [UInt32(0), .max])
  func `a WAV file whose length was never filled in goes to the end of the file`(_ size: UInt32) throws {
    let file = folder.appending("a.wav")
    try Tool.run("sox", "-D", folder.appending("source.wav").path, "-b", "16", "-c", "1", file.path)
    var bytes = try folder.bytes(of: "a.wav")
    #expect(bytes[36..<40].elementsEqual("data".utf8))
    let plain = try DecodedFile(file)
    for byte in 0..<4 { bytes[40 + byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
    try folder.write(bytes, to: "open.wav")
    let decoded = try DecodedFile(folder.appending("open.wav"))
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.mediaFormat.declaredFrameCount == nil)
    #expect(decoded.samples == plain.samples)
  }

  // Faults: 5
  @Test func `a file that ends early is damaged and gives what it has`() throws {
    try Tool.run("sox", "-D", folder.appending("source.wav").path, "-b", "16", folder.appending("a.wav").path)
    try folder.write(try folder.bytes(of: "a.wav").prefix(44 + 4 * 1000 + 3), to: "cut.wav")
    let decoded = try DecodedFile(folder.appending("cut.wav"))
    #expect(decoded.outcome.problem?.code == "truncated")
    #expect(decoded.outcome.problem?.reason == "truncated: 1000 of 11025 frames")
    #expect(decoded.frameCount == 1000)
  }
}
