internal import MediaModel

/// Text in playlists that say one thing a line.
enum PlaylistText {
  /// The text as one line: what controls a line or a terminal becomes a blank.
  static func line(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }

  /// The path that a line is; nil for addresses of anything but files. Bytes stay what they are: a name need not be in the
  /// encoding of the rest.
  ///
  /// - Parameter text: The same as text.
  static func path(_ bytes: ArraySlice<UInt8>, text: String) -> BytePath? {
    let lower = text.lowercased()
    if lower.hasPrefix("file:") { return PlaylistPath.path(ofAddress: text) }
    return PlaylistPath.isStream(lower) ? nil : BytePath(bytes)
  }

  /// `Artist - Title`, the one text that old playlists have.
  static func parts(ofName name: String) -> (artist: String?, title: String?) {
    guard let dash = name.firstRange(of: " - ") else { return (nil, name.isEmpty ? nil : name) }
    return (String(name[..<dash.lowerBound]), String(name[dash.upperBound...]))
  }

  static func trimmed(_ text: some StringProtocol) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
