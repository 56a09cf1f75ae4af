/// Stages that are not named after a product or a part of the analysis.
enum StageName {
  static let tags = "tags"
  static let hash = "hash"
  static let decode = "decode"
  static let allProducts = "all products"
  static let store = "store"

  /// Those that make up a first scan.
  static let ofScan = [tags, hash, decode, allProducts, store]

  static func part(_ name: String) -> String { "part: \(name)" }
  static func product(_ name: String) -> String { "product: \(name)" }
}
