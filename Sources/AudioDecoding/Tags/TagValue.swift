/// A text that a tag gives to a name, as it stands in the file.
struct TagValue {
  /// As TagLib calls it: `TITLE`.
  var name: String
  /// UTF-8, or what the file gives as UTF-8.
  var text: [UInt8]
}
