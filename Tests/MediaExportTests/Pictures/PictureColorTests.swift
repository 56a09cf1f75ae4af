import MediaExport
import MediaModel
import Testing

struct PictureColorTests {
  @Test func `six digits are a colour, eight one with its opacity`() throws {
    #expect(PictureColor(hexadecimal: "3f4d9b") == PictureColor(63, 77, 155))
    #expect(PictureColor(hexadecimal: "#3F4D9B") == PictureColor(63, 77, 155))
    #expect(PictureColor(hexadecimal: "ff000033") == PictureColor(255, 0, 0, alpha: 0.2))
  }

  @Test(arguments: ["", "#", "fff", "3f4d9", "3f4d9bf", "3f4d9g", "+f4d9b", "-00001", "３ｆ４ｄ９ｂ", "3f4d9b00f", " 3f4d9b"])
  func `anything else is none`(text: String) {
    #expect(PictureColor(hexadecimal: text) == nil)
  }

  @Test func `a background that can be seen through makes a PNG with an alpha channel`() throws {
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits8, values: [])
    var picture = WaveformPicture(size: try PictureSize(width: 20, height: 20), peaks: peaks)
    // The kind of colour in the header: 2 is RGB, 6 has alpha.
    #expect(try picture.pngBytes()[25] == 2)
    picture.colors.background = PictureColor(0, 0, 0, alpha: 0)
    #expect(try picture.pngBytes()[25] == 6)
    #expect(try picture.bytes(as: .png, compression: PNGCompression(level: 9))[25] == 6)
  }
}
