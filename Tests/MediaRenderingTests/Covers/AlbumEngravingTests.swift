import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaDrawing
import MediaModel
import MediaRendering
import MediaStore
import TestSupport
import Testing

struct AlbumEngravingTests {
  /// A library of made-up tracks.
  private final class Shelf {
    let folder: TemporaryFolder
    private(set) var store: MediaStore
    private var path: BytePath { folder.file("library.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
      store = try MediaStore(at: folder.file("library.sqlite"), access: .createIfMissing)
      _ = try store.roots.add(BytePath("/music"), volume: "v1")
    }

    deinit { try? store.close() }

    static func hash(_ number: UInt64) -> ContentHash { ContentHash(high: 0xFEED, low: number) }

    static func record(
      _ number: UInt64, _ path: String, _ tags: [String: String], codec: Codec = .flac, products: [Product]? = nil
    ) -> FileRecord {
      let format = MediaFormat(
        container: codec == .mp3 ? .mpeg : .flac, codec: codec, sampleRateInHz: 44_100, channelCount: 2,
        bitsPerSample: codec == .mp3 ? nil : 16, declaredFrameCount: 4_410_000, decodedFrameCount: 4_410_000)
      let extraction = Extraction(
        state: .ok, format: format, stream: StreamIdentity(hash: hash(number), byteCount: 12_345),
        decoded: DecodedStream(), tags: Tags(tags.map { Tags.Property(name: $0.key, values: [$0.value]) }),
        products: products ?? [energy([-20]), peaks])
      return FileRecord(
        rootID: 1, path: BytePath(path),
        status: FileStatus(
          byteCount: Int64(number), modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 2, inode: number,
          device: 4), extraction: extraction, extractorVersion: 1)
    }

    func add(_ records: [FileRecord]) throws {
      try store.scans.apply(records.map { .extracted($0) })
    }

    /// 1,024 points in equal parts of these levels, all of it mids.
    static func energy(_ levels: [Float], version: Int = 2) -> Product {
      let points = (0..<1024).map { index in
        let step = DecibelStep.encode(levels[index * levels.count / 1024])
        return WaveformEnergy.Point(rms: step, low: 0, mid: step, high: 0)
      }
      let energy = WaveformEnergy(sampleRateInHz: 44_100, framesPerPoint: 1024, points: points)
      return Product(kind: .waveformEnergy, version: version, parameters: "", bytes: energy.blob)
    }

    /// 2,048 points: half of full scale, then silence as quiet noise leaves it.
    static let peaks = Product(
      kind: .waveform, version: 1, parameters: "",
      bytes: WaveformPeaks(
        sampleRateInHz: 44_100, framesPerPoint: 256, channelCount: 1, resolution: .bits8,
        values: (0..<2048).flatMap { $0 < 1024 ? [-64, 63] : [-1, 0] as [Int16] }
      ).datBytes)

    func album(_ title: String) throws -> Album { try #require(try store.albums.all().first { $0.title == title }) }

    func engraving(_ title: String = "Tides") throws -> AlbumEngraving {
      try #require(try AlbumEngraving(ofAlbum: album(title).id, in: store))
    }

    func cover(_ title: String = "Tides", side: Int = 400) throws -> EngravedCover {
      try engraving(title).cover(side: side, ground: .dark, in: store).cover
    }

    /// Changes the file of the library where these bytes are.
    func damage(_ bytes: [UInt8]) throws {
      try store.close()
      let url = folder.url.appending(path: "library.sqlite")
      var content = try Data(contentsOf: url)
      let range = try #require(content.range(of: Data(bytes)))
      content[range.lowerBound] ^= 0x55
      try content.write(to: url)
      store = try MediaStore(at: path, access: .readOnly)
    }
  }

  private static func tags(_ track: Int, disc: Int = 1, album: String = "Tides") -> [String: String] {
    [
      "ALBUM": album, "ALBUMARTIST": "Nora Vale", "TITLE": "T\(disc).\(track)", "TRACKNUMBER": "\(track)",
      "DISCNUMBER": "\(disc)",
    ]
  }

  // MARK: - Which tracks

  @Test func `tracks come by disc, track and path, each recording once`() throws {
    let shelf = try Shelf()
    try shelf.add([
      Shelf.record(5, "t/e.flac", Self.tags(1, disc: 2)), Shelf.record(3, "t/c.flac", Self.tags(2)),
      Shelf.record(1, "t/z.flac", Self.tags(1)), Shelf.record(4, "t/b.flac", Self.tags(3)),
      Shelf.record(1, "t/zz.flac", Self.tags(4)),
    ])
    let cover = try shelf.cover()
    #expect(cover.tracks.map(\.hash) == [1, 3, 4, 5].map(Shelf.hash))
    #expect(cover.tracks.map(\.durationInSeconds) == [100, 100, 100, 100])
    #expect(cover.number == EtchedNumber(of: [1, 3, 4, 5].map(Shelf.hash)))
  }

  @Test func `of several editions the one with most tracks is drawn`() throws {
    let shelf = try Shelf()
    try shelf.add((1...3).map { Shelf.record(UInt64($0), "mp3/\($0).mp3", Self.tags($0), codec: .mp3) })
    try shelf.add((1...2).map { Shelf.record(UInt64($0) + 10, "flac/\($0).flac", Self.tags($0)) })
    #expect(try shelf.cover().tracks.map(\.hash) == [1, 2, 3].map(Shelf.hash))
  }

  @Test func `missing files are left out, and an album without any other has no cover`() throws {
    let shelf = try Shelf()
    try shelf.add((1...2).map { Shelf.record(UInt64($0), "t/\($0).flac", Self.tags($0)) })
    let album = try shelf.album("Tides")
    let files = try shelf.store.scans.knownFiles(inRoot: 1)
    try shelf.store.scans.apply([.missing(fileID: files[0].id)])
    #expect(try shelf.cover().tracks.map(\.hash) == [Shelf.hash(2)])
    try shelf.store.scans.apply([.missing(fileID: files[1].id)])
    #expect(try AlbumEngraving(ofAlbum: album.id, in: shelf.store) == nil)
    #expect(try AlbumEngraving(ofAlbum: 4711, in: shelf.store) == nil)
  }

  @Test func `tracks without an album are drawn together`() throws {
    let shelf = try Shelf()
    try shelf.add([1, 2].map { Shelf.record($0, "\($0).flac", ["ARTIST": "Nora Vale", "TITLE": "\($0)"]) })
    #expect(try shelf.cover("").tracks.map(\.hash) == [1, 2].map(Shelf.hash))
  }

  @Test func `a recording alone is one ring`() throws {
    let shelf = try Shelf()
    try shelf.add((1...2).map { Shelf.record(UInt64($0), "t/\($0).flac", Self.tags($0)) })
    let id = try #require(try shelf.store.recordings.ids(of: [Shelf.hash(2)])[Shelf.hash(2)])
    let engraving = try #require(try AlbumEngraving(ofRecording: id, in: shelf.store))
    let cover = try engraving.cover(side: 100, ground: .light, in: shelf.store).cover
    #expect(cover.tracks.map(\.hash) == [Shelf.hash(2)] && cover.tracks[0].durationInSeconds == 100)
    #expect(try AlbumEngraving(ofRecording: id + 100, in: shelf.store) == nil)
  }

  @Test func `of hundreds of tracks some are drawn, spread over the album, and all are numbered`() throws {
    let shelf = try Shelf()
    try shelf.add((1...480).map { Shelf.record(UInt64($0), "t/\($0).flac", Self.tags($0)) })
    let cover = try shelf.cover()
    #expect(cover.tracks.map(\.hash) == stride(from: 1, to: 480, by: 2).map(Shelf.hash))
    #expect(cover.number == EtchedNumber(of: (1...480).map(Shelf.hash)))
  }

  @Test func `the key of an album leads to its cover`() throws {
    let shelf = try Shelf()
    try shelf.add([Shelf.record(1, "t/1.flac", Self.tags(1))])
    let key = try shelf.album("Tides").key
    #expect(try shelf.store.engravedCover(ofAlbum: key, side: 64)?.size == PictureSize(width: 64, height: 64))
    #expect(try shelf.store.engravedCover(ofAlbum: String(repeating: "0", count: 32), side: 64) == nil)
    #expect(try shelf.store.engravedCover(ofAlbum: "Tides", side: 64) == nil)
  }

  // MARK: - What is read

  @Test func `columns are means of levels and the largest of peaks`() throws {
    let shelf = try Shelf()
    let products = [Shelf.energy([-10, -40]), Shelf.peaks]
    try shelf.add([Shelf.record(1, "t/1.flac", Self.tags(1), products: products)])
    let track = try #require(try shelf.cover().tracks.first)
    #expect(track.energy.count == 512 && track.peaks.count == 512)
    #expect(track.energy[0].rms == 220 && track.energy[255].mid == 220 && track.energy[256].rms == 160)
    // 64 of 128 is -6.02 dB.
    #expect(track.peaks[0...255].allSatisfy { $0 == 228 } && track.peaks[256...].allSatisfy { $0 == 0 })
  }

  @Test func `peaks that are not seen are not read`() throws {
    let shelf = try Shelf()
    try shelf.add([Shelf.record(1, "t/1.flac", Self.tags(1))])
    let track = try #require(try shelf.cover(side: 48).tracks.first)
    #expect(track.peaks.isEmpty && track.energy.count == 512)
  }

  @Test func `a track without a waveform, or with one of no sense, is one without sound`() throws {
    let shelf = try Shelf()
    let broken = Product(kind: .waveformEnergy, version: 2, parameters: "", bytes: [1, 2, 3])
    try shelf.add([
      Shelf.record(1, "t/1.flac", Self.tags(1), products: []),
      Shelf.record(2, "t/2.flac", Self.tags(2), products: [broken, Shelf.peaks]),
      Shelf.record(3, "t/3.flac", Self.tags(3), products: [Shelf.energy([-20])]),
    ])
    let cover = try shelf.cover()
    #expect(cover.tracks.map(\.isAudible) == [false, false, true])
    #expect(cover.tracks[2].peaks.isEmpty)
    #expect(try sizeOfPNG(cover.bytes(as: .png)) == [400, 400])
  }

  @Test func `a damaged waveform counts as none`() throws {
    let shelf = try Shelf()
    let energy = Shelf.energy([-20, -21, -22, -23.5])
    try shelf.add([
      Shelf.record(1, "t/1.flac", Self.tags(1), products: [energy]),
      Shelf.record(2, "t/2.flac", Self.tags(2)),
    ])
    #expect(try shelf.cover().tracks.map(\.isAudible) == [true, true])
    try shelf.damage(Array(energy.bytes[1030..<1050]))
    let drawn = try shelf.engraving().cover(side: 400, ground: .dark, in: shelf.store)
    #expect(drawn.cover.tracks.map(\.isAudible) == [false, true] && drawn.isComplete)
  }

  // MARK: - Identity

  @Test func `the identity is the same until recordings, their order or their waveforms change`() throws {
    let shelf = try Shelf()
    try shelf.add((1...2).map { Shelf.record(UInt64($0), "t/\($0).flac", Self.tags($0)) })
    var seen = [try shelf.engraving().identity]
    #expect(seen[0].utf8.count == 32 && seen[0].utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit })
    #expect(try shelf.engraving().identity == seen[0])
    // A title changes nothing.
    try shelf.add([Shelf.record(2, "t/2.flac", Self.tags(2).merging(["TITLE": "Ebb"]) { $1 })])
    #expect(try shelf.engraving().identity == seen[0])

    try shelf.add([Shelf.record(3, "t/3.flac", Self.tags(3))])
    seen.append(try shelf.engraving().identity)
    try shelf.add([Shelf.record(3, "t/3.flac", Self.tags(3).merging(["TRACKNUMBER": "0"]) { $1 })])
    seen.append(try shelf.engraving().identity)
    try shelf.add([
      Shelf.record(4, "t/4.flac", Self.tags(4), products: [Shelf.energy([-20], version: 1), Shelf.peaks])
    ])
    seen.append(try shelf.engraving().identity)
    try shelf.add([Shelf.record(4, "t/4.flac", Self.tags(4))])
    seen.append(try shelf.engraving().identity)
    #expect(Set(seen).count == 5)
  }
}
