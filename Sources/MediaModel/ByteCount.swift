/// Numbers of bytes as people write them.
package enum ByteCount {
  /// `268435456`, `256M` (powers of 1,000, as in queries), `256MiB` (powers of 1,024); nil for anything else, and for
  /// what is no whole number of bytes or more than 2^53.
  package static func parse(_ text: String) -> Int? {
    guard let number = QueryNumber(text, units: QueryUnits.size), number.value >= 0, number.value <= 0x1p53 else {
      return nil
    }
    return Int(exactly: number.value)
  }
}
