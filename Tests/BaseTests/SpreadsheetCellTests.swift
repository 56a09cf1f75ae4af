import Base
import Testing

// Faults: 161
struct SpreadsheetCellTests {
  @Test(arguments: [
    "=1+2", "=cmd|' /C calc'!A0", "@SUM(1)", "+1+2", "-2+3", "-", "+", "--", "\t=1", "\r=1", "\n=1", "\r\n=1", "＝1",
    "－x",
    "-7.5 dB", "+44 20 7946", "- A Tribute -", "=\u{301}1",
  ])
  func `a text that a spreadsheet would compute gets a quote in front, and only if asked`(_ text: String) {
    #expect(SpreadsheetCell.isFormula(text))
    #expect(SpreadsheetCell.text(text, .escape) == "'" + text)
    #expect(SpreadsheetCell.text(text, .keep) == text)
  }

  @Test(arguments: [
    "", "a=b", "-7.5", "+3", "-1e5", "-0", ".5", "1", "'=1", " =1", "Rock & Roll", "!!!", "#1", "–7", "e@mail", "𝄞",
  ])
  func `numbers and other texts stay as they are`(_ text: String) {
    #expect(!SpreadsheetCell.isFormula(text))
    #expect(SpreadsheetCell.text(text, .escape) == text)
  }
}
