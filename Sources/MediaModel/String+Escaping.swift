extension String {
  /// The text with a sign in front of each of some others; a sign in front of itself doubles it.
  ///
  /// Signs are compared as Unicode scalars: a quote and the accent behind it are one `Character`, and it is no quote.
  package func escaping(_ signs: String, with escape: Unicode.Scalar) -> String {
    guard unicodeScalars.contains(where: signs.unicodeScalars.contains) else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      if signs.unicodeScalars.contains(scalar) { result.append(escape) }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// Whether it is a control character (category Cc): of ASCII, DEL, or the second set, which terminals obey, too.
  package var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
