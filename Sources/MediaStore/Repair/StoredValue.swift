internal import Foundation
internal import GRDB

/// A value as a record of SQLite's file holds it.
enum StoredValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text with bytes that are no UTF-8, shown with U+FFFD in their place.
  case brokenText(String)
  case blob([UInt8])

  /// For a statement's argument.
  var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let value): value.databaseValue
    case .real(let value): value.databaseValue
    case .text(let value), .brokenText(let value): value.databaseValue
    case .blob(let bytes): Data(bytes).databaseValue
    }
  }

  var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  var text: String? {
    switch self {
    case .text(let value), .brokenText(let value): value
    default: nil
    }
  }

  var blob: [UInt8]? { if case .blob(let bytes) = self { bytes } else { nil } }

  var isBroken: Bool { if case .brokenText = self { true } else { false } }
}
