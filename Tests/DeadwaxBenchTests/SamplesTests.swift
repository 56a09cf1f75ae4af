import Testing

@testable import deadwax_bench

struct SamplesTests {
  @Test(arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)] as [([Double], Double)])
  func `the median is the middle one or the mean of the two in the middle`(values: [Double], median: Double) {
    #expect(Samples(values).median == median)
  }

  @Test func `nothing has no median`() { #expect(Samples().median == nil) }

  @Test func `ratios are those of each round`() {
    // The machine was half as fast in the second round: the ratio does not show it.
    #expect(Samples([3, 6, 3]).ratios(to: Samples([2, 4, 2])).values == [1.5, 1.5, 1.5])
  }

  @Test func `a round in which the other took no time does not count`() {
    #expect(Samples([3, 6]).ratios(to: Samples([0, 4])).values == [1.5])
  }
}
