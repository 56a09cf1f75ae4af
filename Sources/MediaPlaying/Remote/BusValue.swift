internal import CDBus

/// A value of D-Bus, of the types that MPRIS uses.
enum BusValue: Hashable {
  case text(String)
  /// Of an object, such as `/org/deadwax/track/3`.
  case path(String)
  case integer(Int64)
  case real(Double)
  case flag(Bool)
  case texts([String])
  case dictionary([String: BusValue])

  /// As the specification of D-Bus writes types.
  var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .integer: "x"
    case .real: "d"
    case .flag: "b"
    case .texts: "as"
    case .dictionary: "a{sv}"
    }
  }

  /// Writes it to the end of a message.
  func write(to message: OpaquePointer) {
    switch self {
    case .text(let text): dw_message_write_text(message, Self.withoutZeros(text))
    case .path(let path): dw_message_write_path(message, path)
    case .integer(let number): dw_message_write_integer(message, number)
    case .real(let number): dw_message_write_real(message, number)
    case .flag(let flag): dw_message_write_flag(message, flag ? 1 : 0)
    case .texts(let texts):
      dw_message_open(message, Self.array, "s")
      for text in texts { BusValue.text(text).write(to: message) }
      dw_message_close(message)
    case .dictionary(let entries):
      dw_message_open(message, Self.array, "{sv}")
      for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
        dw_message_open(message, Self.entry, nil)
        BusValue.text(key).write(to: message)
        value.writeAsVariant(to: message)
        dw_message_close(message)
      }
      dw_message_close(message)
    }
  }

  func writeAsVariant(to message: OpaquePointer) {
    dw_message_open(message, Self.variant, signature)
    write(to: message)
    dw_message_close(message)
  }

  private static let array = CChar(UInt8(ascii: "a"))
  private static let variant = CChar(UInt8(ascii: "v"))
  private static let entry = CChar(UInt8(ascii: "e"))

  /// A zero would end the text.
  private static func withoutZeros(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.map { $0.value == 0 ? " " : Character($0) }) : text
  }
}
