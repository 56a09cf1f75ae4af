extension String {
  /// With ASCII for signs of full width (U+FF01 to U+FF5E), in which East Asian programs write digits.
  package var inHalfWidth: String {
    guard unicodeScalars.contains(where: { (0xFF01...0xFF5E).contains($0.value) }) else { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map {
          (0xFF01...0xFF5E).contains($0.value) ? Unicode.Scalar($0.value - 0xFEE0) ?? $0 : $0
        }))
  }
}
