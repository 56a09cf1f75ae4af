internal import Base

/// Formats of presets that are recognized, but not read, so that the reason names them.
enum UnreadFormat: String {
  case eqMac = "eqMac preset"
  case opra = "OPRA entry"
  case poweramp = "Poweramp preset"
  case peace = "Peace configuration"
  case miniDSP = "list of miniDSP coefficients"
  case audioUnit = "Audio Unit preset"
  case foobar = "foobar2000 equalizer (.feq)"

  /// - Parameter text: Without a byte order mark.
  init?(_ text: String, fileName: String) {
    let bytes = Array(text.utf8)
    // OPRA publishes one document a line.
    let firstLine = Array(bytes.prefix { $0 != 0x0A })
    let document = (try? JSONValue(parsing: bytes)) ?? (try? JSONValue(parsing: firstLine))
    // A number alone is a document, too.
    if let document, document.members != nil || document.array != nil {
      self.init(document.array?.first ?? document)
    } else {
      self.init(TextLines(Array(bytes.prefix(256 << 10))).lines.map(\.text), fileName: fileName.lowercased())
    }
  }

  private init?(_ document: JSONValue) {
    if document["gains"]?.members != nil {
      self = .eqMac
    } else if Self.opraTypes.contains(document["type"]?.string ?? "")
      || document["data"]?["type"]?.string == "parametric_eq"
    {
      self = .opra
    } else if document["bands"]?.array != nil, document["schema"] == nil,
      document["parametric"] != nil || document["preamp"] != nil
    {
      self = .poweramp
    } else {
      return nil
    }
  }

  private static let opraTypes: Set<String> = ["parametric_eq", "vendor", "product", "eq"]

  private init?(_ lines: [Substring], fileName: String) {
    /// foobar2000's sliders reach 20 dB.
    func isGain(_ line: Substring) -> Bool {
      Int(line).map { fileName.hasSuffix(".feq") || (-20...20).contains($0) } ?? false
    }
    let sections = Set(lines.prefix(10_000).map { $0.lowercased() })
    if sections.isSuperset(of: ["[frequencies]", "[gains]"]) {
      self = .peace
    } else if lines.contains(where: { $0.hasPrefix("biquad1") }), lines.contains(where: { $0.hasPrefix("b0=") }) {
      self = .miniDSP
    } else if lines.prefix(3).contains(where: { $0.contains("<plist") || $0.contains("<!DOCTYPE plist") }) {
      self = .audioUnit
    } else if lines.count == 18, lines.allSatisfy({ isGain($0) }) {
      self = .foobar
    } else {
      return nil
    }
  }
}
