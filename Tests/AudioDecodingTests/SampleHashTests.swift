import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// The hash of decoded samples, by which lossless streams are found to be one recording.
struct SampleHashTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A made-up signal of 16 bits, two channels, 44.1 kHz.
  private static let samples = (0..<20_000).map { Int16(truncatingIfNeeded: $0 &* $0 &* 37 >> 3 &- $0) }

  private func source() throws -> URL {
    try folder.write(WaveFile.bytes(Self.samples, sampleRateInHz: 44_100, channelCount: 2), to: "source.wav")
    return folder.appending("source.wav")
  }

  private func sampleHash(_ url: URL) throws -> ContentHash? {
    let open = try OpenFile(url)
    let decoder = try open.mediaFile().makeDecoder(hashesSamples: true)
    _ = try decoder.readAll()
    return decoder.decodedStream.sampleHash
  }

  private func sampleHash(_ bytes: [UInt8]) throws -> ContentHash? {
    try folder.write(bytes, to: "bytes")
    return try sampleHash(folder.appending("bytes"))
  }

  @Test(.enabled(if: Tool.exist("sox", "flac", "ffmpeg"), "sox, flac or FFmpeg is not installed"))
  func `equal samples are one recording in every container and width`() throws {
    let source = try source()
    let expected = try #require(try sampleHash(source))
    for name in ["a.aiff", "a.caf", "a.w64", "a.au", "a.aifc"] {
      try Tool.run("sox", "-D", source.path, folder.appending(name).path)
      #expect(try sampleHash(folder.appending(name)) == expected, "\(name)")
    }
    for (name, bits) in [("b.wav", "24"), ("c.wav", "32"), ("d.aiff", "24"), ("e.caf", "24"), ("f.au", "32")] {
      try Tool.run("sox", "-D", source.path, "-b", bits, "-e", "signed", folder.appending(name).path)
      #expect(try sampleHash(folder.appending(name)) == expected, "\(name)")
    }
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", source.path, "-rf64", "always", "-f", "wav", folder.appending("a.rf64").path)
    #expect(try sampleHash(folder.appending("a.rf64")) == expected)
    for arguments in [["-0"], ["-8"], ["-5", "-b", "1000"], ["--ogg"]] {
      let file = folder.appending("a\(arguments.count)\(arguments[0]).flac")
      try Tool.run("flac", arguments: ["-s", "-f"] + arguments + ["-o", file.path, source.path])
      #expect(try sampleHash(file) == expected, "\(arguments)")
    }
    try Tool.run("flac", "-s", "-f", "-o", folder.appending("24.flac").path, folder.appending("b.wav").path)
    #expect(try sampleHash(folder.appending("24.flac")) == expected)
  }

  @Test func `rate, channels, loudspeakers, samples and their number count`() throws {
    func file(
      rate: Int = 44_100, channelCount: Int = 2, mask: UInt32? = nil, _ samples: [Int16] = Self.samples
    ) -> [UInt8] {
      let format = ChunkBytes.format(channelCount: channelCount, sampleRateInHz: rate)
      // WAVEFORMATEXTENSIBLE with the subformat of PCM.
      let extended = mask.map { mask -> [UInt8] in
        [0xFE, 0xFF] + format.dropFirst(2) + littleEndian(UInt16(22)) + littleEndian(UInt16(16)) + littleEndian(mask)
          + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      }
      return ChunkBytes.riff(
        ChunkBytes.chunk("fmt ", extended ?? format), ChunkBytes.chunk("data", samples.flatMap { littleEndian($0) }))
    }
    var changed = Self.samples
    changed[999] += 1
    let variants = [
      file(), file(rate: 48_000), file(channelCount: 1), file(mask: 0x30), file(changed),
      file(Array(Self.samples.dropLast(2))),
    ]
    let hashes = try variants.map { try #require(try sampleHash($0)) }
    #expect(Set(hashes).count == variants.count)
    // The usual loudspeakers may be named.
    #expect(try sampleHash(file(mask: 0x3)) == hashes[0])
  }

  @Test func `floats are a class of their own, and only what is lossless has a hash`() throws {
    let floats: [Float] = Self.samples.map { Float($0) / 32_768 }
    let format = ChunkBytes.format(channelCount: 2, sampleRateInHz: 44_100)
    let integers = ChunkBytes.riff(
      ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", Self.samples.flatMap { littleEndian($0) }))
    func float(bits: Int, _ data: [UInt8]) -> [UInt8] {
      ChunkBytes.riff(
        ChunkBytes.chunk(
          "fmt ", ChunkBytes.format(isFloat: true, channelCount: 2, sampleRateInHz: 44_100, bitsPerSample: bits)),
        ChunkBytes.chunk("data", data))
    }
    let single = float(bits: 32, floats.flatMap { littleEndian($0.bitPattern) })
    let double = float(bits: 64, floats.flatMap { littleEndian(Double($0).bitPattern) })
    let hashes = try [integers, single, double].map { try #require(try sampleHash($0)) }
    #expect(Set(hashes).count == 3)
    // NaN and silence decode to the same samples, but were not the same.
    var (nan, zero) = (floats, floats)
    nan[7] = .nan
    zero[7] = 0
    let broken = try sampleHash(float(bits: 32, nan.flatMap { littleEndian($0.bitPattern) }))
    #expect(try broken != sampleHash(float(bits: 32, zero.flatMap { littleEndian($0.bitPattern) })))
    let law = [7, 0] + format.dropFirst(2)
    #expect(
      try sampleHash(ChunkBytes.riff(ChunkBytes.chunk("fmt ", law), ChunkBytes.chunk("data", [1, 2, 3, 4]))) == nil)
    #expect(try sampleHash(MPEGBytes.silentFrames(60)) == nil)
    #expect(try sampleHash(Corpora.fixtures.appending(path: "damaged/chained.ogg")) == nil)
  }

  @Test func `only an intact decode in one go has a hash`() throws {
    let file = FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 8000) { Int16($0) }
    #expect(try sampleHash(file) != nil)
    var damaged = file
    damaged[60] ^= 1
    #expect(try sampleHash(damaged) == nil)
    #expect(try sampleHash(FLACBytes.constant(frameCount: 0, sampleRateInHz: 8000)) == nil)

    try folder.write(file, to: "a")
    let open = try OpenFile(folder.appending("a"))
    let sought = try open.mediaFile().makeDecoder(hashesSamples: true)
    _ = try sought.readFrames(1000)
    try sought.seek(toFrame: 0)
    _ = try sought.readAll()
    #expect(sought.decodedStream.sampleHash == nil)
    let unfinished = try open.mediaFile().makeDecoder(hashesSamples: true)
    _ = try unfinished.readFrames(300_000)
    #expect(unfinished.decodedStream.sampleHash == nil)
    let unasked = try open.decoder()
    _ = try unasked.readAll()
    #expect(unasked.decodedStream.sampleHash == nil)
  }

  /// One of each way to read samples.
  private static let files: [URL] =
    Corpora.fixtureFiles(in: "audio", endingIn: ["wav", "rf64", "w64", "aiff", "caf", "au", "flac", "oga"])

  @Test(arguments: files)
  func `samples are the same whether they are hashed or not`(_ url: URL) throws {
    let plain = try DecodedFile(url)
    for size in [1000, 1 << 16] {
      let open = try OpenFile(url)
      let hashed = try open.mediaFile().makeDecoder(hashesSamples: true).readAll(blockFrameCount: size)
      let isEqual = hashed.elementsEqual(plain.samples) { $0.bitPattern == $1.bitPattern }
      #expect(isEqual)
    }
  }

  @Test(.enabled(if: Tool.exist("sox"), "SoX is not installed"))
  func `samples of every width and byte order are the same whether they are hashed or not`() throws {
    let source = folder.appending("source.wav")
    try Tool.run(
      "sox", "-R", "-n", "-r", "22050", "-c", "2", "-b", "32", source.path, "synth", "0.5", "pinknoise", "gain", "-1")
    let variants: [(String, [String])] = [
      ("u8.wav", ["-b", "8", "-e", "unsigned"]), ("s8.aiff", ["-b", "8"]), ("16.wav", ["-b", "16"]),
      ("16.au", ["-b", "16"]), ("24.wav", ["-b", "24"]), ("24.aiff", ["-b", "24"]),
      ("32.wav", ["-b", "32", "-e", "signed"]), ("32.aiff", ["-b", "32", "-e", "signed"]),
      ("f32.wav", ["-b", "32", "-e", "float"]), ("f64.wav", ["-b", "64", "-e", "float"]),
      ("f64.au", ["-b", "64", "-e", "float"]), ("24.flac", ["-b", "24"]), ("8.flac", ["-b", "8"]),
    ]
    for (name, options) in variants {
      let file = folder.appending(name)
      try Tool("sox")?.run(["-D", source.path] + options + [file.path])
      let plain = try DecodedFile(file).samples
      let hashed = try OpenFile(file).readHashed()
      #expect(plain.count == 22_050 && hashed.hash != nil, "\(name)")
      let isEqual = hashed.samples.elementsEqual(plain) { $0.bitPattern == $1.bitPattern }
      #expect(isEqual, "\(name)")
    }
  }
}

extension OpenFile {
  fileprivate func readHashed() throws -> (samples: [Float], hash: ContentHash?) {
    let decoder = try mediaFile().makeDecoder(hashesSamples: true)
    let samples = try decoder.readAll()
    return (samples, decoder.decodedStream.sampleHash)
  }
}

/// A copy is judged without a decode, by its own headers and by what decoding the stream in another file showed.
struct CopiedStreamTests {
  private static let files =
    Corpora.fixtureFiles(in: "audio") + Corpora.fixtureFiles(in: "damaged")
    + (Corpora.root.map { root in
      ["hostile", "flac/faulty", "flac/uncommon"].flatMap { name in
        let folder = root.appending(path: name)
        let urls = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (urls ?? []).sorted { $0.path < $1.path }
      }
    } ?? [])

  @Test(arguments: files)
  func `a copy of a file ends with the same state, problem and position as the file that was decoded`(_ url: URL)
    throws
  {
    let open = try OpenFile(url)
    guard let decoder = try? open.mediaFile().makeDecoder(hashesSamples: true) else { return }
    _ = try decoder.readAll()
    let frameCount = try #require(decoder.mediaFormat.decodedFrameCount)
    let copy = try open.mediaFile().makeDecoder()
    var judged = Extraction(
      state: copy.ownProblem == nil ? .ok : .damaged, problem: copy.ownProblem, format: copy.mediaFormat)
    judged.judge(by: decoder.decodedStream, frameCount: frameCount)
    #expect(judged.state == decoder.outcome.state)
    #expect(judged.problem == decoder.outcome.problem)
    #expect(copy.outcome.notes == decoder.outcome.notes)
  }

  @Test func `a problem of the file and one of the stream do not hide each other`() throws {
    let folder = try TemporaryFolder()
    var bytes = ChunkBytes.riff(
      ChunkBytes.chunk("data", [UInt8](repeating: 0, count: 640)), ChunkBytes.chunk("fmt ", ChunkBytes.format()))
    try folder.write(bytes, to: "a.wav")
    let own = try OpenFile(folder.appending("a.wav")).decoder()
    #expect(own.ownProblem?.code == "malformed")
    #expect(own.decodedStream.problem == nil)
    // Without STREAMINFO, and a frame that does not match its checksum.
    bytes = Array(FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 44_100, rateCode: { _ in 9 }).dropFirst(42))
    bytes[bytes.count - 20] ^= 1
    try folder.write(bytes, to: "a.flac")
    let open = try OpenFile(folder.appending("a.flac"))
    let both = try open.decoder()
    _ = try both.readAll()
    #expect(both.ownProblem?.code == "no-streaminfo")
    #expect(both.decodedStream.problem?.code == "corrupt")
    #expect(both.outcome.problem?.code == "no-streaminfo")
  }

  @Test func `a wrong MD5 is a problem of the file, found when it is verified`() throws {
    let folder = try TemporaryFolder()
    var bytes = [UInt8](try Data(contentsOf: Fixture.flac))
    bytes[30] ^= 1
    try folder.write(bytes, to: "a.flac")
    let open = try OpenFile(folder.appending("a.flac"))
    let verified = try open.mediaFile().makeDecoder(verifiesChecksum: true, hashesSamples: true)
    _ = try verified.readAll()
    #expect(verified.ownProblem?.code == "checksum")
    #expect(verified.decodedStream.problem == nil)
    #expect(verified.decodedStream.sampleHash != nil)
    #expect(verified.outcome.state == .damaged)
    let original = try OpenFile(Fixture.flac).streamHash()
    #expect(try open.streamHash() == original)
  }
}

private enum Fixture {
  static let flac = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/02 Balayage.flac")
}
