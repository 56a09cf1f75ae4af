/// How much memory is set aside on the strength of a length that nobody has counted yet.
enum Reserve {
  /// A claimed number of elements, cut to what fits into 64 MiB; more is made room for as it comes.
  static func bounded(_ claimedCount: Int64, bytesPerElement: Int) -> Int {
    let limit = Int64((64 << 20) / max(bytesPerElement, 1))
    return Int(min(max(claimedCount, 0), limit))
  }
}
