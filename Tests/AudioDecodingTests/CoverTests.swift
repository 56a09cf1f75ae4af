import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

private enum TaggingTools {
  static let areThere =
    EncodedSignal.areToolsThere && (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil
}

// Faults: 223
/// Covers and padding, put in by other programs, push nothing out of sight: the stream, what the file states about it, the
/// sound and the tags are found wherever they lie.
@Suite(.enabled(if: TaggingTools.areThere, "ffmpeg, flac, SoX, an encoder or python3-mutagen is not installed"))
struct CoverTests {
  private static let coverByteCount = 4 + 1 << 20
  private static let title = "Behind a cover"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What is found in a file.
  private struct Reading {
    let identity: StreamIdentity
    let decoded: DecodedFile
    let tags: TagReading

    init(_ url: URL) throws {
      let file = try OpenFile(url)
      identity = try file.identity()
      decoded = try DecodedFile(url)
      tags = try file.tags()
    }

    func expectSameStream(as other: Reading) {
      #expect(identity.hash == other.identity.hash && identity.hashVersion == other.identity.hashVersion)
      #expect(identity.byteCount == other.identity.byteCount)
      #expect(identity.declaration == other.identity.declaration)
      #expect(decoded.outcome.state == .ok && decoded.outcome.problem == nil)
      #expect(decoded.format == other.decoded.format)
      let isEqual = decoded.samples == other.decoded.samples
      #expect(isEqual)
    }

    func expectCover() {
      #expect(tags.tags.properties.first { $0.name == "TITLE" }?.values == [CoverTests.title])
      #expect(tags.artwork.map(\.bytes.count) == [CoverTests.coverByteCount])
      #expect(!tags.notes.contains("truncated-tags") && !tags.notes.contains("unreadable-tags"))
    }
  }

  /// Mutagen writes tags in most formats; in fragments of MP4 it leaves offsets behind that lead nowhere.
  private static let byMutagen = EncodedSignal.all.filter {
    ["mp3", "mp2", "flac", "oga", "ogg", "opus", "spx", "mp4", "mov", "m4a", "wma", "wav", "aiff", "wv", "mpc", "tta"]
      .contains($0.pathExtension) && !$0.testDescription.contains("fragments") && $0.testDescription != "RF64"
  }

  /// Formats whose tags may have padding.
  private static let padded = byMutagen.filter {
    ["mp3", "flac", "ogg", "opus", "m4a", "wma", "wav", "aiff", "tta"].contains($0.pathExtension) && !$0.isVariant
  }

  @Test(arguments: byMutagen)
  func `a cover of a megabyte changes nothing but the tags`(_ signal: EncodedSignal) throws {
    let file = try signal.make(in: folder, seconds: 1)
    let plain = try Reading(file)
    try addCover(to: file)
    let covered = try Reading(file)
    covered.expectSameStream(as: plain)
    covered.expectCover()
  }

  /// A block of FLAC has at most 16 MiB.
  @Test(arguments: padded)
  func `neither does padding of 20 megabytes`(_ signal: EncodedSignal) throws {
    let file = try signal.make(in: folder, seconds: 1)
    let plain = try Reading(file)
    try addCover(to: file, padding: signal.pathExtension == "flac" ? 16_000_000 : 20 << 20)
    #expect(try OpenFile(file).byteCount > 16_000_000)
    let covered = try Reading(file)
    covered.expectSameStream(as: plain)
    covered.expectCover()
  }

  @Test(arguments: EncodedSignal.all.filter { ["mka", "webm"].contains($0.pathExtension) })
  func `a cover attached to Matroska changes nothing but the tags`(_ signal: EncodedSignal) throws {
    let file = try signal.make(in: folder, seconds: 1)
    let plain = try Reading(file)
    try folder.write(Self.cover, to: "cover.jpg")
    let covered = folder.appending("covered.mka")
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", file.path, "-map", "0:a", "-c", "copy", "-attach",
      folder.appending("cover.jpg").path, "-metadata:s:t", "mimetype=image/jpeg", "-metadata", "title=\(Self.title)",
      covered.path)
    let reading = try Reading(covered)
    reading.expectSameStream(as: plain)
    reading.expectCover()
  }

  @Test(arguments: [0, 1 << 20, 20 << 20])
  func `a cover of DSD changes nothing but the tags`(_ padding: Int) throws {
    let channels = [440.0, 660].map {
      DSDFiles.tone(byteCount: 40_960, rate: 2_822_400, frequencyInHz: $0, amplitude: 0.3)
    }
    for (name, bytes) in [
      ("a.dsf", DSDFiles.dsf(channels, rate: 2_822_400)), ("a.dff", DSDFiles.dsdiff(channels, rate: 2_822_400)),
    ] {
      try folder.write(bytes, to: name)
      let plain = try Reading(folder.appending(name))
      try addCover(to: folder.appending(name), padding: padding)
      let covered = try Reading(folder.appending(name))
      covered.expectSameStream(as: plain)
      covered.expectCover()
    }
  }

  enum TagInFront: CaseIterable { case id3v2, twoOfID3v2, apev2 }

  /// Programs put such tags before files of any kind.
  @Test(arguments: EncodedSignal.all.filter { !$0.isVariant } + EncodedSignal.all.filter { $0.pathExtension == "mka" })
  func `tags with a cover in front of any file change nothing`(_ signal: EncodedSignal) throws {
    let file = try signal.make(in: folder, seconds: 1)
    let plain = try Reading(file)
    let bytes = [UInt8](try Data(contentsOf: file))
    let id3v2 = Self.id3v2
    let frame = Array("APETAGEX".utf8) + littleEndian(UInt32(2000))
    let item =
      littleEndian(UInt32(Self.cover.count)) + littleEndian(UInt32(2)) + Array("Cover Art (Front)\0".utf8) + Self.cover
    let size = littleEndian(UInt32(item.count + 32)) + littleEndian(UInt32(1))
    let apev2 =
      frame + size + littleEndian(UInt32(0xA000_0000)) + [UInt8](repeating: 0, count: 8) + item
      + frame + size + littleEndian(UInt32(0x8000_0000)) + [UInt8](repeating: 0, count: 8)
    for kind in TagInFront.allCases {
      let tag =
        switch kind {
        case .id3v2: id3v2
        case .twoOfID3v2: id3v2 + id3v2
        case .apev2: apev2
        }
      try folder.write(tag + bytes, to: "front.\(file.pathExtension)")
      try Reading(folder.appending("front.\(file.pathExtension)")).expectSameStream(as: plain)
    }
  }

  @Test(.enabled(if: Tool.exist("wavpack"), "wavpack is not installed"))
  func `the header of the WAV file, with its cover, does not hide the rate of WavPack`() throws {
    let samples: [UInt8] = (0..<40_000).flatMap { littleEndian(Int16(truncatingIfNeeded: $0 &* 97)) }
    let data = ChunkBytes.chunk("data", samples)
    let format = ChunkBytes.chunk("fmt ", ChunkBytes.format(sampleRateInHz: 37_800))
    var identities: [StreamIdentity] = []
    let chunks: [(String, [UInt8])] = [("plain", []), ("covered", ChunkBytes.chunk("id3 ", Self.id3v2))]
    for (name, chunk) in chunks {
      try folder.write(ChunkBytes.riff(format, chunk, data), to: "\(name).wav")
      let file = folder.appending("\(name).wv")
      try Tool.run("wavpack", "-q", "-y", folder.appending("\(name).wav").path, "-o", file.path)
      let decoded = try DecodedFile(file)
      #expect(decoded.outcome.state == .ok)
      #expect(decoded.format.sampleRateInHz == 37_800)
      #expect(decoded.mediaFormat.declaredFrameCount == 40_000)
      identities.append(try OpenFile(file).identity())
    }
    #expect(identities[0].declaration == identities[1].declaration)
  }

  /// 101 tags of ten bytes are still only tags.
  @Test func `many empty tags before the sound are passed over`() throws {
    let empty = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]
    let file = (0..<101).flatMap { _ in empty } + MPEGBytes.silentFrames(60)
    try folder.write(file, to: "a.mp3")
    try folder.write(MPEGBytes.silentFrames(60), to: "b.mp3")
    try Reading(folder.appending("a.mp3")).expectSameStream(as: Reading(folder.appending("b.mp3")))
  }

  // MARK: Making files

  private static let cover: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0] + (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 * 7 % 251) }

  private static let id3v2: [UInt8] = {
    let body = [0] + Array("image/jpeg\0".utf8) + [3, 0] + cover
    let frame = Array("APIC".utf8) + bigEndian(UInt32(body.count)) + [0, 0] + body
    let size = (0..<4).map { UInt8(truncatingIfNeeded: (frame.count + 100) >> (7 * (3 - $0)) & 0x7F) }
    return Array("ID3".utf8) + [3, 0, 0] + size + frame + [UInt8](repeating: 0, count: 100)
  }()

  private func addCover(to file: URL, padding: Int = 0) throws {
    try folder.write(Array(Self.script.utf8), to: "cover.py")
    try folder.write(Self.cover, to: "cover.jpg")
    let names = [folder.appending("cover.py"), file, folder.appending("cover.jpg")].map { "'\($0.path)'" }
    try Tool.run("bash", "-c", "/usr/bin/python3 \(names.joined(separator: " ")) \(padding) '\(Self.title)'")
  }

  private static let script = """
    import base64, struct, sys
    from mutagen import File, apev2, asf, flac, id3, mp4
    path, cover, padding, title = sys.argv[1], open(sys.argv[2], "rb").read(), int(sys.argv[3]), sys.argv[4]
    file = File(path)
    if file.tags is None:
        file.add_tags()
    tags = file.tags
    if isinstance(tags, id3.ID3):
        tags.add(id3.TIT2(encoding=3, text=[title]))
        tags.add(id3.APIC(encoding=3, mime="image/jpeg", type=3, desc="", data=cover))
    elif isinstance(tags, mp4.MP4Tags):
        tags["\\xa9nam"] = [title]
        tags["covr"] = [mp4.MP4Cover(cover, mp4.MP4Cover.FORMAT_JPEG)]
    elif isinstance(tags, asf.ASFTags):
        tags["Title"] = [title]
        texts = "image/jpeg\\0\\0".encode("utf-16-le")
        tags["WM/Picture"] = [asf.ASFByteArrayAttribute(b"\\3" + struct.pack("<I", len(cover)) + texts + cover)]
    elif isinstance(tags, apev2.APEv2):
        tags["Title"] = title
        tags["Cover Art (Front)"] = apev2.APEValue(b"cover.jpg\\0" + cover, apev2.BINARY)
    else:
        picture = flac.Picture()
        picture.type, picture.mime, picture.data = 3, "image/jpeg", cover
        tags["TITLE"] = [title]
        if isinstance(file, flac.FLAC):
            file.add_picture(picture)
        else:
            tags["METADATA_BLOCK_PICTURE"] = [base64.b64encode(picture.write()).decode()]
    try:
        file.save(padding=lambda info: padding)
    except TypeError:
        file.save()
    """
}
