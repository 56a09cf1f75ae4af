extension StringProtocol {
  /// The start of this text, at most so many Unicode scalars.
  ///
  /// A limit on characters does not bound a text of strangers: one character may have a million combining marks.
  package func limited(toScalarCount count: Int) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(count)))
  }
}
