import Base
import MediaDrawing
import MediaModel
import Testing

struct TitleTests {
  private func waveform(_ title: String, width: Int = 300, height: Int = 60) throws -> PixelImage {
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits8, values: [0, 0])
    var picture = WaveformPicture(size: try PictureSize(width: width, height: height), peaks: peaks)
    picture.hasAxis = false
    picture.title = title
    return try picture.pixels()
  }

  /// The columns and rows that a title changes.
  private func changed(_ title: String, width: Int = 300) throws -> (x: ClosedRange<Int>, y: ClosedRange<Int>)? {
    let (plain, titled) = (try waveform("", width: width), try waveform(title, width: width))
    let places = plain.pixels.indices.filter { plain.pixels[$0] != titled.pixels[$0] }
    let (columns, rows) = (places.map { $0 % width }, places.map { $0 / width })
    guard let left = columns.min(), let right = columns.max(), let top = rows.min(), let bottom = rows.max() else {
      return nil
    }
    return (left...right, top...bottom)
  }

  @Test(arguments: ["Lacquer", "Émilie Søndergård", "صدى البحر", "星屑電機", "שלום", "नमस्ते"])
  func `a title in any script stands in the top left corner`(title: String) throws {
    let place = try #require(try changed(title))
    #expect(place.x.lowerBound < 14 && place.x.upperBound < 200)
    #expect(place.y.lowerBound < 16 && place.y.upperBound < 32)
  }

  /// Plane 16 is for private use.
  @Test(.enabled(if: DrawingLibraries.all.allSatisfy { $0.problem == nil }, "Pango is not installed"))
  func `characters that no font has are found, each once`() {
    #expect(TitleText.charactersWithoutFont(in: "é\u{10FFFC}a\u{10FFFD}\u{10FFFC}\n") == ["\u{10FFFC}", "\u{10FFFD}"])
    #expect(TitleText.charactersWithoutFont(in: "Émilie Søndergård\u{0}") == [])
  }

  @Test func `a longer title is wider, and cut at the edge of the picture`() throws {
    let short = try #require(try changed("Lacquer"))
    let long = try #require(try changed("Lacquer and more"))
    let cut = try #require(try changed(String(repeating: "Lacquer ", count: 100)))
    #expect(short.x.upperBound < long.x.upperBound)
    #expect(cut.x.upperBound < 298)
  }

  @Test(arguments: ["a\nb", "a\u{0}b", "a\u{1B}[31mb", "\u{202E}ab", "a\u{FFFD}\u{10FFFF}b", "👨‍👩‍👧", " "])
  func `strange text is one line`(title: String) throws {
    if let place = try changed(title) { #expect(place.y.upperBound < 36) }
  }

  // Faults: 177
  /// Pango alone would take minutes.
  @Test(.timeLimit(.minutes(1)), arguments: ["x", "\u{301}", "\u{202E}"])
  func `a title of any length is cut before it is laid out`(part: String) throws {
    let long = try waveform(String(repeating: part, count: 2_000_000))
    #expect(try long.pixels == waveform(String(repeating: part, count: 5_000)).pixels)
  }

  @Test func `there is none where there is no room`() throws {
    let size = try PictureSize(width: 300, height: 30)
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits8, values: [0, 0])
    var picture = WaveformPicture(size: size, peaks: peaks)
    let plain = try picture.pixels()
    picture.title = "Lacquer"
    let titled = try picture.pixels()
    #expect(plain == titled)
    #expect(try changed("Lacquer", width: 20) == nil)
  }

  @Test(arguments: PictureFormat.allCases)
  func `the same title gives the same bytes`(format: PictureFormat) throws {
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: [UInt8](repeating: 100, count: 800))
    var picture = SpectrogramPicture(
      size: try PictureSize(width: 300, height: 120), section: SpectrogramSection(grid))
    let plain = try picture.bytes(as: format)
    picture.title = "صدى البحر - 星屑"
    let (first, second) = (try picture.bytes(as: format), try picture.bytes(as: format))
    #expect(first == second && first != plain)
  }
}
