import MediaExport
import MediaModel
import Testing

struct PNGCompressionTests {
  private func picture() throws -> WaveformPicture {
    var values: [Int16] = []
    for point in 0..<400 {
      values.append(Int16(-(point * 7919 % 30_000)))
      values.append(Int16(point * 104_729 % 30_000))
    }
    return WaveformPicture(
      size: try PictureSize(width: 400, height: 100),
      peaks: WaveformPeaks(
        sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits16, values: values))
  }

  @Test func `there are zlib's levels and no others`() {
    #expect((-3...12).filter { PNGCompression(level: $0) != nil } == Array(-1...9))
  }

  @Test func `-1 is what there is without a level`() throws {
    #expect(try picture().bytes(as: .png, compression: PNGCompression(level: -1)) == picture().pngBytes())
  }

  @Test func `more compression makes fewer bytes, none at all leaves the rows as they are`() throws {
    let sizes = try [0, 1, 9].map { try picture().bytes(as: .png, compression: PNGCompression(level: $0)).count }
    #expect(sizes[0] > 400 * 100 * 3 && sizes[0] < 400 * 100 * 3 + 1000)
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2])
  }

  @Test func `every chunk has the checksum of its bytes`() throws {
    let png = try picture().bytes(as: .png, compression: PNGCompression(level: 9))
    func number(_ start: Int) -> Int { png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
    var kinds: [String] = []
    var start = 8
    while start < png.count {
      let end = start + 8 + number(start)
      kinds.append(String(decoding: png[start + 4..<start + 8], as: UTF8.self))
      #expect(number(end) == Int(CRC32.checksum(Array(png[start + 4..<end]))))
      start = end + 4
    }
    #expect(kinds.first == "IHDR" && kinds.last == "IEND" && kinds.filter { $0 == "IDAT" }.count == 1)
  }
}
