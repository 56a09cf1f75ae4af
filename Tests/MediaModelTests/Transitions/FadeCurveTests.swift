import MediaModel
import Testing

struct FadeCurveTests {
  @Test(arguments: [1, 2, 7, 44_100, 529_200] as [Int64]) func `both tracks keep their power together`(count: Int64) {
    for frame in Swift.stride(from: 0, to: count, by: max(1, Int(count / 1000))) {
      let (rising, falling) = (FadeCurve.fadeIn(Int64(frame), of: count), FadeCurve.fadeOut(Int64(frame), of: count))
      #expect(abs(rising * rising + falling * falling - 1) < 1e-15)
      #expect(abs(rising - FadeCurve.fadeOut(count - 1 - Int64(frame), of: count)) < 1e-7)
    }
    #expect(FadeCurve.fadeIn(-1, of: count) == 0 && FadeCurve.fadeIn(count, of: count) == 1)
    #expect(FadeCurve.fadeOut(-1, of: count) == 1 && FadeCurve.fadeOut(count, of: count) == 0)
  }

  /// The bits, computed by hand: x = 1/8, p = 11/256.
  @Test func `a value is exact`() {
    #expect(FadeCurve.fadeIn(0, of: 4) == (11.0 / 256).squareRoot())
    #expect(FadeCurve.fadeOut(0, of: 4) == (245.0 / 256).squareRoot())
  }
}
