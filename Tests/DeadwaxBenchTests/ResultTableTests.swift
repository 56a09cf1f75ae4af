import Base
import Testing

@testable import deadwax_bench

struct ResultTableTests {
  private let table: ResultTable = {
    var table = ResultTable(
      "decoders", title: "Against decoders", columns: [.init("codec", "codec"), .init("user_s", "user s")])
    table.add([.text("mp3"), .number(12.345, digits: 2)])
    table.add([.text("größer"), .number(nil, digits: 2)])
    return table
  }()

  @Test func `text is aligned, numbers to the right`() {
    #expect(
      table.text == """
        Against decoders
        codec   user s
        mp3      12.35
        größer       –

        """)
  }

  @Test func `Markdown is a table of its own`() {
    #expect(
      table.markdown == """
        ### Against decoders

        | codec | user s |
        |---|---:|
        | mp3 | 12.35 |
        | größer | – |

        """)
  }

  @Test func `JSON has all digits, and null where nothing was measured`() {
    #expect(
      table.jsonLines.map(\.text) == [
        #"{"table":"decoders","codec":"mp3","user_s":12.345}"#,
        #"{"table":"decoders","codec":"größer","user_s":null}"#,
      ])
  }
}

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
