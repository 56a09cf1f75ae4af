import MediaModel
import Testing

struct AmplitudeScaleTests {
  @Test(arguments: [("auto", AmplitudeScale.automatic), ("1", .factor(1)), ("0", .factor(0)), ("2.5", .factor(2.5))])
  func `a number or the word auto`(text: String, scale: AmplitudeScale) {
    #expect(AmplitudeScale(text) == scale)
  }

  @Test(arguments: ["", "-1", "nan", "inf", "1e999", "loud", "5 ", "0x10", "٣"])
  func `anything else is refused`(text: String) {
    #expect(AmplitudeScale(text) == nil)
  }
}
