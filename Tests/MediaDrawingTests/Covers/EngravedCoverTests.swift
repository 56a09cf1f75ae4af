import Base
import Foundation
import MediaDrawing
import MediaModel
import TestSupport
import Testing

struct EngravedCoverTests {
  private typealias Track = EngravedCover.Track

  private static let darkGround: UInt32 = 0x19_1B1C
  private static let lightGround: UInt32 = 0xEC_ECE9

  /// A level as ``DecibelStep``.
  private static func step(_ decibels: Float) -> UInt8 { DecibelStep.encode(decibels) }

  /// - Parameters:
  ///   - levels: In dBFS, of 512 columns in equal parts.
  ///   - band: Which of low, mid and high has all of it.
  private static func track(
    _ number: UInt64, _ levels: [Float], band: Int = 1, seconds: Double = 200, peaksAbove: Float? = 9
  ) -> EngravedCover.Track {
    let steps = (0..<512).map { step(levels[$0 * levels.count / 512]) }
    func part(_ step: UInt8, _ index: Int) -> UInt8 { index == band ? step : 0 }
    return EngravedCover.Track(
      durationInSeconds: seconds, hash: ContentHash(high: number, low: number),
      energy: steps.map {
        WaveformEnergy.Point(rms: $0, low: part($0, 0), mid: part($0, 1), high: part($0, 2))
      },
      peaks: peaksAbove.map { above in steps.map { $0 == 0 ? 0 : Self.step(DecibelStep.decode($0) + above) } } ?? [])
  }

  /// Twelve tracks of random levels in all bands.
  private static func album() -> [EngravedCover.Track] {
    var random = RepeatableRandom(seed: 12)
    return (0..<12 as Range<UInt64>).map { number in
      var track = track(number, (0..<64).map { _ in Float.random(in: -50 ... -8, using: &random) })
      for index in track.energy.indices {
        track.energy[index].low = UInt8.random(in: 100...200, using: &random)
        track.energy[index].high = UInt8.random(in: 60...160, using: &random)
      }
      return track
    }
  }

  private func pixels(_ tracks: [EngravedCover.Track], side: Int = 400, _ ground: EngravedCover.Ground = .dark) throws
    -> PixelImage
  {
    try EngravedCover(side: side, tracks: tracks, ground: ground).pixels()
  }

  /// Pixels that are not of the ground, by their distance from the centre and the angle from 12 o'clock, both in `0...1`.
  private func drawn(_ image: PixelImage, ground: UInt32 = darkGround) -> [(distance: Double, angle: Double)] {
    let middle = Double(image.width) / 2
    return image.pixels.indices.filter { image.pixels[$0] != ground }.map { index in
      let (x, y) = (Double(index % image.width) + 0.5 - middle, Double(index / image.width) + 0.5 - middle)
      let angle = atan2(x, -y) / (2 * .pi)
      return ((x * x + y * y).squareRoot() / middle, angle < 0 ? angle + 1 : angle)
    }
  }

  // MARK: - Bytes

  @Test(arguments: [PictureFormat.png, .svg], EngravedCover.Ground.allCases)
  func `the same tracks give the same bytes`(format: PictureFormat, ground: EngravedCover.Ground) throws {
    let covers = try (0..<2).map { _ in try EngravedCover(side: 300, tracks: Self.album(), ground: ground) }
    #expect(try covers[0].bytes(as: format) == covers[1].bytes(as: format))
  }

  @Test func `another process gives the same bytes`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      print("cover \(try EngravedCoverTests.digest())")
    }
    let output = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    let digest = try Self.digest()
    #expect(output.contains("cover \(digest)"))
  }

  private static func digest() throws -> String {
    let cover = try EngravedCover(side: 300, tracks: album(), ground: .dark)
    return try [PictureFormat.png, .svg].map { "\(CRC32.checksum(try cover.bytes(as: $0)))" }.joined(separator: "-")
  }

  @Test(arguments: [32, 48, 71, 72, 176, 259, 280, 400])
  func `a PNG is a square of the side that was asked for, opaque`(side: Int) throws {
    let png = try EngravedCover(side: side, tracks: Self.album(), ground: .light).bytes(as: .png)
    func number(_ start: Int) -> Int { png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && number(16) == side && number(20) == side)
    // Colour without transparency.
    #expect(png[25] == 2)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `a PNG has the pixels that were drawn`() throws {
    let cover = try EngravedCover(side: 176, tracks: Self.album(), ground: .dark)
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "cover.png")
    try Data(cover.bytes(as: .png)).write(to: url)
    let decoded = try Tool.run("ffmpeg", "-v", "error", "-i", url.path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-")
    let pixels = try cover.pixels().pixels.flatMap { [UInt8($0 >> 16), UInt8($0 >> 8 & 255), UInt8($0 & 255)] }
    #expect(Array(decoded) == pixels)
  }

  @Test(arguments: [(1, 32), (31, 32), (4000, 2048)])
  func `sides beyond the limits are those of the limits`(asked: Int, side: Int) throws {
    #expect(try EngravedCover(side: asked, tracks: [], ground: .dark).size == PictureSize(width: side, height: side))
  }

  // MARK: - What is seen

  @Test func `each band has its colour on each ground`() throws {
    let colors: [EngravedCover.Ground: [UInt32]] = [
      .dark: [0xE8_7A3A, 0xDF_CE9C, 0x4E_A2F2], .light: [0xBD_4F0C, 0x3D_3A31, 0x0A_68C4],
    ]
    for (ground, expected) in colors {
      for (band, color) in expected.enumerated() {
        let image = try pixels([Self.track(1, [-20], band: band, peaksAbove: nil)], ground)
        let counts = Dictionary(grouping: image.pixels, by: \.self).mapValues(\.count)
        #expect(image[0, 0] == (ground == .dark ? Self.darkGround : Self.lightGround))
        #expect(counts[color, default: 0] > 3000, "\(ground) \(band)")
        #expect(expected.allSatisfy { $0 == color || counts[$0] == nil }, "\(ground) \(band)")
      }
    }
  }

  @Test func `loud and quiet tracks have other rings`() throws {
    let loud = try pixels([Self.track(1, [-10]), Self.track(2, [-40])])
    let quiet = try pixels([Self.track(1, [-40]), Self.track(2, [-10])])
    #expect(loud != quiet)
    // The outer ring lies beyond 0.70 of half a side.
    func count(_ image: PixelImage) -> Int { drawn(image).count { $0.distance > 0.705 } }
    #expect(count(loud) > 3 * count(quiet))
  }

  @Test func `a track begins at 12 o'clock and goes clockwise`() throws {
    let image = try pixels([Self.track(1, [-10, -40, -40, -40], peaksAbove: nil)])
    let far = drawn(image).filter { $0.distance > 0.85 }
    #expect(far.count > 500)
    #expect(far.allSatisfy { $0.angle < 0.26 || $0.angle > 0.995 })
  }

  @Test func `tracks that share a ring follow each other round it`() throws {
    // Room for three rings; the first two are shortest.
    let tracks = [
      Self.track(1, [-10], band: 0, seconds: 30), Self.track(2, [-10], band: 2, seconds: 10),
      Self.track(3, [-10], seconds: 90), Self.track(4, [-10], seconds: 90),
    ]
    let image = try pixels(tracks, side: 48)
    let middle = 24.0
    let radius = try #require(EngravingLayout(side: 48, durations: [30, 10, 90, 90]).rings.first).middleRadius
    func color(at place: Double) -> UInt32? {
      image[Int(middle + radius * sin(2 * .pi * place)), Int(middle - radius * cos(2 * .pi * place))]
    }
    #expect([0.1, 0.3, 0.5, 0.7].allSatisfy { color(at: $0) == 0xE8_7A3A })
    #expect([0.8, 0.9, 0.95].allSatisfy { color(at: $0) == 0x4E_A2F2 })
  }

  @Test func `peaks reach beyond the mean levels, but not out of the ring`() throws {
    let without = Self.track(1, [-20, -40], peaksAbove: nil)
    let with = Self.track(1, [-20, -40], peaksAbove: 25)
    let (few, many) = try (drawn(pixels([without])), drawn(pixels([with])))
    #expect(many.count > few.count + 1000)
    #expect(many.allSatisfy { $0.distance < 2 * 0.466 + 0.01 })
  }

  @Test(arguments: [48, 176, 400])
  func `what has no sound has no ring`(side: Int) throws {
    let sound = Self.track(1, [-20])
    var unknown = Self.track(2, [-20])
    (unknown.energy, unknown.peaks) = ([], [])
    let silent = Self.track(3, [-100])
    var cover = try EngravedCover(side: side, tracks: [unknown, sound, silent], ground: .dark)
    cover.number = nil
    var alone = try EngravedCover(side: side, tracks: [sound], ground: .dark)
    alone.number = nil
    #expect(try cover.pixels() == alone.pixels())
  }

  @Test(arguments: [32, 176, 400])
  func `an album without any sound is its run-out groove`(side: Int) throws {
    let cover = try EngravedCover(side: side, tracks: [Self.track(1, [-100])], ground: .light)
    let points = drawn(try cover.pixels(), ground: Self.lightGround)
    #expect(!points.isEmpty && points.allSatisfy { $0.distance < 0.94 })
    #expect(points.count < side * side / 8)
    // A circle of 0.075 or 0.085 of the side is the innermost that is drawn.
    #expect(points.allSatisfy { $0.distance > 0.08 })
  }

  @Test func `impossible lengths and peaks that do not fit are drawn all the same`() throws {
    var tracks = [1e308, 1e308, .nan, -1].map { Self.track(1, [-20, -40], seconds: $0) }
    tracks[1].peaks.removeLast()
    #expect(try drawn(pixels(tracks)).count > 5000)
    #expect(try drawn(pixels(tracks, side: 32)).count > 100)
  }

  @Test func `an album without tracks has no number`() throws {
    let cover = try EngravedCover(side: 400, tracks: [], ground: .dark)
    #expect(cover.number == nil)
    #expect(try drawn(cover.pixels()).count > 500)
  }

  @Test(arguments: [(279, false), (280, true)])
  func `the number is engraved from 280 pixels on`(side: Int, hasNumber: Bool) throws {
    let cover = try EngravedCover(side: side, tracks: Self.album(), ground: .dark)
    var without = cover
    without.number = nil
    #expect(try (cover.pixels() != without.pixels()) == hasNumber)
  }

  @Test func `other recordings with the same sound have another number`() throws {
    #expect(try pixels([Self.track(1, [-20])]) != pixels([Self.track(2, [-20])]))
    #expect(try pixels([Self.track(1, [-20])], side: 200) == pixels([Self.track(2, [-20])], side: 200))
  }

  @Test func `peaks are only asked for where strokes are drawn`() {
    #expect(EngravedCover.showsPeaks(side: 400, durations: [200, 300]))
    #expect(!EngravedCover.showsPeaks(side: 48, durations: [200, 300]))
    #expect(!EngravedCover.showsPeaks(side: 400, durations: Array(repeating: 100, count: 60)))
  }
}
