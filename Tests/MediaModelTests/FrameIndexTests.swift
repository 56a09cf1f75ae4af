import MediaModel
import Testing

struct FrameIndexTests {
  @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 384_000])
  func `decimal times lie where whole numbers say`(rate: Int) {
    for (parts, count) in [(10, 100_000), (100, 100_000), (1_000, 200_000)] {
      for number in 0...count {
        let frame = FrameIndex.frame(atSeconds: Double(number) / Double(parts), rateInHz: Double(rate))
        guard frame != Int64(number * rate / parts) else { continue }
        Issue.record("\(number)/\(parts) s at \(rate) Hz: \(frame)")
        return
      }
    }
  }

  @Test func `a time between two frames lies in the first`() {
    #expect(FrameIndex.frame(atSeconds: 0.000_09, rateInHz: 10_000) == 0)
    #expect(FrameIndex.frame(atSeconds: 0.000_099_99, rateInHz: 10_000) == 0)
    #expect(FrameIndex.frame(atSeconds: 0.000_11, rateInHz: 10_000) == 1)
    #expect(FrameIndex.frame(atSeconds: 36_000.5, rateInHz: 44_100) == 1_587_622_050)
  }

  @Test func `a place outside a stream is one of its ends`() {
    #expect(FrameIndex.frame(atSeconds: -1, rateInHz: 44_100) == 0)
    #expect(FrameIndex.frame(atSeconds: .nan, rateInHz: 44_100) == 0)
    #expect(FrameIndex.frame(atSeconds: .infinity, rateInHz: 44_100) == 1_000_000_000_000_000_000)
    #expect(FrameIndex.frame(atSeconds: 1e300, rateInHz: 44_100) == 1_000_000_000_000_000_000)
  }
}
