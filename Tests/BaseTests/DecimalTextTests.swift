import Base
import Testing

struct DecimalTextTests {
  @Test(arguments: [
    (1.0, "1"), (-0.5, "-0.5"), (0.004, "0"), (-0.004, "0"), (12.345, "12.35"), (-100, "-100"), (0.05, "0.05"),
    (99.999, "100"), (1e12, "1000000000000"),
  ])
  func `a number has as many decimals as it needs, at most two`(value: Double, text: String) {
    #expect(DecimalText.number(value, places: 2) == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `what is not a number is null`(value: Double) {
    #expect(DecimalText.number(value, places: 2) == "null")
  }

  @Test(arguments: [1e300, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude])
  func `an absurd number still reads back as one`(value: Double) {
    #expect(Double(DecimalText.number(value, places: 9))?.isFinite == true)
  }
}
