import MediaDrawing
import Testing

struct TerminalCapabilitiesTests {
  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
    (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "en_US.UTF-8"], true),
    (["LANG": "en_US.UTF-8", "LC_ALL": ""], true),
  ])
  func `the locale decides about Unicode`(environment: [String: String], hasUnicode: Bool) {
    #expect(TerminalCapabilities(environment: environment, isTerminal: true).hasUnicode == hasUnicode)
  }

  // Faults: 118
  @Test(
    arguments: [
      (["TERM": "xterm"], true, .palette256), (["TERM": "xterm"], false, .none),
      (["COLORTERM": "truecolor"], true, .trueColor),
      (["COLORTERM": "24bit", "NO_COLOR": "1"], true, .none), (["NO_COLOR": ""], true, .palette256),
      (["TERM": "dumb"], true, .none), (["FORCE_COLOR": "1"], false, .palette256), (["FORCE_COLOR": "0"], false, .none),
      (["CLICOLOR": "0"], true, .none), (["NO_COLOR": "1", "FORCE_COLOR": "1"], true, .none),
    ] as [([String: String], Bool, TerminalCapabilities.ColorDepth)])
  func `colours need a terminal that wants them`(
    environment: [String: String], isTerminal: Bool, depth: TerminalCapabilities.ColorDepth
  ) {
    #expect(TerminalCapabilities(environment: environment, isTerminal: isTerminal).colorDepth == depth)
  }
}
