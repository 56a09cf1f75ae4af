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

  // Faults: 218
  @Test(arguments: [
    ("7", "7"), ("007", "7"), ("4.50", "4.5"), ("0", "0"), ("0.0", "0"), ("100.000", "100"),
    ("99.9999999994", "99.999999999"),
  ])
  func `a number that a person sets has one form`(text: String, stored: String) {
    #expect(DecimalText.canonical(text, in: 0...100, places: 9) == stored)
  }

  @Test(arguments: [
    "", " ", " 12", "12 ", "+5", "-0", "0x10", "1e1", "inf", "nan", "infinity", "1e400", "5.", ".5", "1.2.3", "1,5",
    "١٢", "１２", "100.001", "101", "12\u{0}", "1_000", String(repeating: "0", count: 41),
  ])
  func `anything else is none`(text: String) {
    #expect(DecimalText.canonical(text, in: 0...100, places: 9) == nil)
  }
}
