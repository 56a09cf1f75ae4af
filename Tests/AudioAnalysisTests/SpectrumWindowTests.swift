import Testing

@testable import AudioAnalysis

struct SpectrumWindowTests {
  @Test(arguments: [64, 2_048, 32_768])
  func `the squares of overlapping windows add up to 1`(size: Int) {
    let window = SpectrumWindow.coefficients(size: size)
    let hop = SpectrumWindow.hop(ofSize: size)
    #expect(hop * 4 == size * 3)
    for index in hop..<size {
      #expect(abs(window[index] * window[index] + window[index - hop] * window[index - hop] - 1) < 1e-12)
    }
    #expect(window[(size - hop)..<hop].allSatisfy { $0 == 1 })
  }

  @Test func `equals the formula of its slopes`() {
    for (made, expected) in zip(SpectrumWindow.coefficients(size: 512), ReferenceSpectrum.window(512)) {
      #expect(abs(made - expected) < 1e-12)
    }
  }
}
