/// What an output stream can show.
package struct TerminalCapabilities: Hashable, Sendable {
  package enum ColorDepth: Int, Comparable, Sendable {
    case none
    case palette256
    case trueColor

    package static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
  }

  /// Whether characters beyond ASCII can be written.
  package var hasUnicode: Bool
  package var colorDepth: ColorDepth

  package init(hasUnicode: Bool, colorDepth: ColorDepth) {
    self.hasUnicode = hasUnicode
    self.colorDepth = colorDepth
  }

  /// From environment variables and whether the stream is a terminal.
  ///
  /// The locale (`LC_ALL`, `LC_CTYPE`, `LANG`, the first that is not empty) decides about Unicode. `NO_COLOR` switches
  /// colours off, `FORCE_COLOR` and `CLICOLOR_FORCE` switch them on even without a terminal; `TERM=dumb` has none.
  package init(environment: [String: String], isTerminal: Bool) {
    func isSet(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
    func isForced(_ name: String) -> Bool { isSet(name) && environment[name] != "0" }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].first(where: isSet).flatMap { environment[$0] } ?? ""
    let folded = locale.lowercased()
    hasUnicode = folded.contains("utf-8") || folded.contains("utf8")

    let isForced = isForced("FORCE_COLOR") || isForced("CLICOLOR_FORCE")
    if isSet("NO_COLOR") || environment["TERM"] == "dumb" || (environment["CLICOLOR"] == "0" && !isForced) {
      colorDepth = .none
    } else if isTerminal || isForced {
      colorDepth = ["truecolor", "24bit"].contains(environment["COLORTERM"]) ? .trueColor : .palette256
    } else {
      colorDepth = .none
    }
  }
}
