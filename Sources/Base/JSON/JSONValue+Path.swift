internal import Foundation

extension JSONValue {
  /// The members for a path: `path`, with U+FFFD for bytes that are not UTF-8 and then `path_bytes` in base64, too;
  /// null if there is no path.
  package static func path(_ path: BytePath?, key: String = "path") -> [Member] {
    guard let path else { return [Member(key, .null)] }
    let text = Member(key, .string(path.displayString))
    guard String(validating: path.bytes, as: UTF8.self) == nil else { return [text] }
    return [text, Member(key + "_bytes", .string(Data(path.bytes).base64EncodedString()))]
  }
}
