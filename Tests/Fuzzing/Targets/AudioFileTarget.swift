import Foundation
import MediaModel
import TestSupport

@testable import AudioDecoding

/// An audio file from its first byte to its last sample, in the formats of some extensions. What libraries read of its tags
/// is left to workers.
struct AudioFileTarget: FuzzTarget {
  let name: String
  private let endings: Set<String>
  let maximumByteCount = 16 << 10

  /// The most that is decoded of one input.
  private static let maximumFrameCount = 1 << 17

  init(_ name: String, _ endings: Set<String>) {
    self.name = name
    self.endings = endings
  }

  /// The start and the end of each fixture.
  var seeds: [[UInt8]] {
    get throws {
      let files = Corpora.fixtureFiles(in: "damaged") + Corpora.fixtureFiles(in: "formats")
      var seeds = try files.filter { endings.contains($0.pathExtension) }.map { file in
        let bytes = [UInt8](try Data(contentsOf: file))
        return bytes.count <= 6144 ? bytes : Array(bytes.prefix(5120) + bytes.suffix(1024))
      }
      if name == "boxes" { seeds += Self.boxes + Self.movies }
      if name == "ebml" { seeds += Self.segments }
      if name == "caf" { seeds += Self.packetTables }
      if name == "mpeg" { seeds.append(Self.misencodedFrames + MPEGBytes.silentFrames(5)) }
      if name == "flac" { seeds.append(Array("fLaC".utf8) + FLACBytes.metadataBlock(4, Self.misencodedComments)) }
      if name == "ogg" { seeds.append(Self.misencodedPages) }
      return seeds
    }
  }

  private static let misencodedFrames = TagBytes.id3v2(
    TagBytes.textFrame("TIT2", .utf16, [0x41, 0, 0x42, 0]) + TagBytes.textFrame("TPE1", .utf8, [0x43, 0xE9]))
  private static let misencodedComments: [UInt8] = {
    let title: [UInt8] = Array("TITLE=".utf8) + [0x43, 0xE9]
    return TagBytes.vorbisComments([title, [0x3D, 0xFF]])
  }()
  private static let misencodedPages: [UInt8] = {
    let head: [UInt8] = Array("OpusHead".utf8) + [1, 1, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
    let tags: [UInt8] = Array("OpusTags".utf8) + misencodedComments
    return OggBytes.page(serial: 1, sequence: 0, .first, head) + OggBytes.page(serial: 1, sequence: 1, .middle, tags)
  }()

  private static let movies: [[UInt8]] = {
    var whole = MP4Bytes()
    whole.edits = [(400, 1024)]
    var compact = whole
    (compact.sizeBitCount, compact.hasLongOffsets) = (8, true)
    var fragments = MP4Bytes()
    fragments.fragmentLengths = [7, 13]
    fragments.gaplessComment = MP4Bytes.gaplessComment(delay: 1024, padding: 456, frameCount: 19_000)
    return [whole, compact, fragments].map(\.bytes)
  }()

  private static let segments: [[UInt8]] = {
    let plain = MatroskaBytes()
    var laced = plain
    (laced.lacing, laced.packetsPerBlock, laced.hasFiller) = (.ebml, 7, true)
    laced.others = [MatroskaBytes.element(0x1254_C367, MatroskaBytes.tag(level: 50, [("TITLE", "a")]))]
    let inner = MatroskaBytes.chapter(100, 200, "b", more: MatroskaBytes.element(0x98, number: 0))
    let chapters = MatroskaBytes.chapter(0, 300, "a", more: inner) + MatroskaBytes.chapter(300)
    laced.others.append(MatroskaBytes.element(0x1043_A770, MatroskaBytes.edition(flags: [0x45DB], chapters)))
    var live = plain
    (live.isLive, live.lacing, live.packetsPerBlock, live.discardPadding) = (true, .xiph, 5, 1_000_000)
    var samples = plain
    (samples.codec, samples.bitDepth, samples.compression) = ("A_PCM/INT/LIT", 16, (3, [1, 2]))
    return [plain, laced, live, samples].map(\.bytes)
  }()

  private static let packetTables: [[UInt8]] = {
    // A frame of AAC that ends at once, and one of a length that takes two bytes.
    var file = CAFBytes([[0xE0], [0x21, 0x10, 4, 96, 140, 28], [UInt8](repeating: 0, count: 200), [0xE0]])
    (file.delayFrameCount, file.frameCount) = (1024, 3000)
    return [file.bytes]
  }()

  private static let boxes: [[UInt8]] = [
    [0, 0, 0, 20] + Array("ftypM4A ".utf8) + [0, 0, 0, 0] + Array("M4A ".utf8) + [0, 0, 0, 16] + Array("moov".utf8)
      + [0, 0, 0, 8] + Array("trak".utf8),
    [
      0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C, 0x40, 0, 0, 0, 0,
      0, 0, 0,
    ],
    [0x1A, 0x45, 0xDF, 0xA3, 0x84, 0x42, 0x86, 0x81, 0x01],
  ]

  var dictionary: [String] {
    [
      "RIFF", "WAVE", "fmt ", "data", "RF64", "ds64", "FORM", "AIFF", "AIFC", "COMM", "SSND", "caff", "desc", "kuki",
      "pakt", "aac ", ".snd", "riff", "MPCK", "MP+", "DSD ", "FRM8",
      "fLaC", "OggS", "\u{1}vorbis", "OpusHead", "OpusTags", "Speex   ", "ID3", "TAG", "APETAGEX", "Xing", "Info",
      "LAME",
      "VBRI", "A_OPUS", "A_VORBIS", "A_FLAC", "A_MPEG/L3", "ftyp", "moov", "trak", "mdia", "minf", "stbl", "stsd",
      "mp4a", "alac", "esds", "drms", "co64",
      "stts", "stsc", "stco", "stsz", "stz2", "edts", "elst", "moof", "traf", "tfhd", "trun", "mvex", "trex",
      "iTunSMPB", "wvpk", "TTA1",
    ]
  }

  func check(_ bytes: [UInt8]) throws {
    let file = try NamelessFile(bytes)
    var parts: PartList?
    do throws(DecodingError) {
      var media = try MediaFile(descriptor: file.descriptor, byteCount: Int64(bytes.count), pathExtension: "mp3")
      guard media.content.kind == .audio else { return }
      _ = try media.readTags(usingLibraries: false)
      parts = try media.readParts(Tags(), sampleRateInHz: 44_100)
      _ = try media.identify()
      let decoder = try media.makeDecoder()
      let whole = try Self.frames(decoder, Self.maximumFrameCount)
      try Self.seek(in: media, whole, of: decoder)
    } catch {
      if case .broken(let reason) = Self.kind(of: error) { throw PropertyFailure(reason) }
    }
    if let parts { try PartsTarget.check(parts) }
  }

  private enum Kind {
    case refused
    case broken(String)
  }

  private static func kind(of error: DecodingError) -> Kind {
    if case .damaged(let problem) = error, problem.code == "property" { .broken(problem.reason) } else { .refused }
  }

  private static func broken(_ reason: String) -> DecodingError { .damaged(Problem(code: "property", reason: reason)) }

  /// Interleaved samples from the decoder's position.
  private static func frames(_ decoder: any AudioDecoder, _ maximum: Int) throws(DecodingError) -> [Float] {
    let channelCount = decoder.format.channelCount
    var block = [Float](repeating: .nan, count: 1000 * channelCount)
    var samples: [Float] = []
    while samples.count < maximum * channelCount {
      var span = block.mutableSpan
      let count = try decoder.read(into: &span)
      guard count > 0 else { break }
      guard count <= 1000 else { throw broken("\(count) frames were read into room for 1000") }
      samples += block.prefix(count * channelCount)
    }
    guard samples.allSatisfy(\.isFinite) else { throw broken("samples that are not finite") }
    return samples
  }

  /// Checks that a seek gives the samples that a decode from the start has there.
  private static func seek(
    in media: borrowing MediaFile, _ whole: [Float], of first: any AudioDecoder
  ) throws(DecodingError) {
    let channelCount = first.format.channelCount
    let count = whole.count / channelCount
    guard count > 0, count < maximumFrameCount else { return }
    let decoder = try media.makeDecoder(
      seekingMethod: first.outcome.state == .ok ? .byPosition : .byCounting)
    for frame in [count / 2, count / 3, count] {
      try decoder.seek(toFrame: Int64(frame))
      let part = try frames(decoder, 700)
      let expected = whole.dropFirst(frame * channelCount).prefix(part.count)
      guard part.count >= min(700, count - frame) * channelCount, expected.elementsEqual(part.prefix(expected.count))
      else {
        throw broken("other samples after a seek to frame \(frame) of \(count)")
      }
    }
  }
}

/// An open file without a name, because decoders read descriptors.
struct NamelessFile: ~Copyable {
  let descriptor: Int32

  init(_ bytes: [UInt8]) throws {
    let template = FileManager.default.temporaryDirectory.appending(path: "deadwax-fuzz-XXXXXX").path
    var path = template.utf8CString.map { $0 }
    descriptor = mkstemp(&path)
    try require(descriptor >= 0 && unlink(path) == 0, "no temporary file")
    try require(write(descriptor, bytes, bytes.count) == bytes.count, "a temporary file cannot be written")
  }

  deinit { close(descriptor) }
}
