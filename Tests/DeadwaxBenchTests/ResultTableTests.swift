import MediaModel
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
