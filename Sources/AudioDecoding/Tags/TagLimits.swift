/// How much of a file's tags is kept; nobody tags more than that on purpose.
package enum TagLimits {
  static let maximumValueByteCount = 64 << 10
  static let maximumValueCount = 10_000
  static let maximumTextByteCount = 8 << 20
  package static let maximumPictureByteCount = 16 << 20
  package static let maximumPictureCount = 32
  /// Of the file, pictures included.
  static let readBudget: Int64 = 256 << 20
}
