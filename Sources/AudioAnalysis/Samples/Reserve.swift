/// How much memory to reserve for a length that was claimed but not yet counted.
enum Reserve {
  /// The claimed number of elements, limited to what fits into 64 MiB; arrays grow beyond that as elements arrive.
  static func bounded(_ claimedCount: Int64, bytesPerElement: Int) -> Int {
    let limit = Int64((64 << 20) / max(bytesPerElement, 1))
    return Int(min(max(claimedCount, 0), limit))
  }
}
