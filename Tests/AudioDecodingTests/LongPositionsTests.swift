import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Positions that no 32 bits hold: files of more than 4 GiB and 2^31 frames, nearly all of it a hole on the disk.
struct LongPositionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let frameCount = 1 << 31 + 1 << 20
  /// Where frames are not silent.
  private static let marks = [0, 5, 1 << 30, (1 << 31) - 2, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, frameCount - 1]

  private static func header(_ pathExtension: String) -> [UInt8] {
    let byteCount = 2 * frameCount
    return switch pathExtension {
    case "rf64": ChunkBytes.rf64Header(dataByteCount: byteCount, format: ChunkBytes.format())
    case "w64": ChunkBytes.wave64Header(dataByteCount: byteCount, format: ChunkBytes.format())
    // What programs write that do not know RF64: the length as far as it goes.
    default:
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", ChunkBytes.format())) + ChunkBytes.chunk("data", [], claiming: .max)
    }
  }

  @Test(arguments: ["rf64", "w64", "wav"])
  func `a file of more than 4 GiB is positioned to any of its frames`(_ pathExtension: String) throws {
    let url = folder.appending("a.\(pathExtension)")
    let header = Self.header(pathExtension)
    try folder.write(header, to: "a.\(pathExtension)")
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: UInt64(header.count + 2 * Self.frameCount))
    for (number, frame) in Self.marks.enumerated() {
      try handle.seek(toOffset: UInt64(header.count + 2 * frame))
      try handle.write(contentsOf: littleEndian(Int16(number + 1)))
    }
    try handle.close()

    let file = try OpenFile(url)
    let decoder = try file.decoder()
    if pathExtension != "wav" { #expect(decoder.mediaFormat.declaredFrameCount == Int64(Self.frameCount)) }
    for frame in Self.marks {
      let start = max(0, frame - 10)
      try decoder.seek(toFrame: Int64(start))
      let samples = try decoder.readFrames(20)
      #expect(samples.count == min(20, Self.frameCount - start))
      let expected = samples.indices.map { offset in
        Float((Self.marks.firstIndex(of: start + offset) ?? -1) + 1) / 32_768
      }
      #expect(samples == expected, "at \(frame)")
    }
    #expect(decoder.mediaFormat.decodedFrameCount == Int64(Self.frameCount))
  }

  @Test func `FLAC of more than 2^31 frames is positioned to any of its frames`() throws {
    func value(_ block: Int) -> Int16 { Int16(truncatingIfNeeded: block) }
    try folder.write(
      FLACBytes.constant(frameCount: Self.frameCount, sampleRateInHz: 48_000, value: value), to: "a.flac")
    let file = try OpenFile(folder.appending("a.flac"))
    let decoder = try file.decoder()
    #expect(decoder.mediaFormat.declaredFrameCount == Int64(Self.frameCount))
    let block = FLACBytes.framesPerBlock
    for frame in Self.marks + [1 << 31 / block * block, frameCount(ofWholeBlocks: block)] {
      let start = max(0, frame - 10)
      try decoder.seek(toFrame: Int64(start))
      let samples = try decoder.readFrames(20)
      #expect(samples.count == min(20, Self.frameCount - start))
      #expect(samples == samples.indices.map { Float(value((start + $0) / block)) / 32_768 }, "at \(frame)")
    }
  }

  private func frameCount(ofWholeBlocks block: Int) -> Int { Self.frameCount / block * block }
}
