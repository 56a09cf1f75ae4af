package import Base
package import Foundation
// Importing this module imports GRDB. It is public because the inlinable subscripts below use it.
@_exported public import GRDB
package import MediaModel

/// These hide GRDB's own subscripts, which end the process if a value does not have the expected type: SQLite does not check
/// stored values against the declared types, and a damaged file can contain anything. They only hide them in files that
/// import GRDB through this module.
///
/// Throws: `RowDecodingError`.
extension Row {
  @inlinable package subscript<Value: DatabaseValueConvertible>(_ index: Int) -> Value {
    get throws { try decode(Value.self, atIndex: index) }
  }

  @inlinable package subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ index: Int) -> Value {
    get throws { try decode(Value.self, atIndex: index) }
  }

  @inlinable package subscript<Value: DatabaseValueConvertible>(_ columnName: String) -> Value {
    get throws { try decode(Value.self, forColumn: columnName) }
  }

  @inlinable package subscript<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ columnName: String)
    -> Value
  {
    get throws { try decode(Value.self, forColumn: columnName) }
  }
}

extension BytePath {
  /// The bytes for a BLOB.
  package var data: Data { Data(bytes) }
}

extension Problem {
  /// From the columns `problem_code`, `problem_reason` and `problem_position_s`; nil if there is no problem.
  package init?(row: Row) throws {
    guard let code: String = try row["problem_code"] else { return nil }
    try self.init(code: code, reason: row["problem_reason"] ?? code, positionInSeconds: row["problem_position_s"])
  }

  package var arguments: StatementArguments {
    ["problem_code": code, "problem_reason": reason, "problem_position_s": positionInSeconds?.finite]
  }
}

extension Optional where Wrapped == Problem {
  /// The three columns, NULL if there is no problem.
  package var arguments: StatementArguments {
    self?.arguments
      ?? ["problem_code": nil as String?, "problem_reason": nil as String?, "problem_position_s": nil as Double?]
  }
}

extension Double {
  /// The number; nil for NaN and infinities, which are never stored.
  package var finite: Double? { isFinite ? self : nil }
}

extension Row {
  /// More frames than this no file has: a thousand days at the highest rates. Products of such numbers fit into 64 bits.
  private static let largestFrameCount: Int64 = 1 << 44

  /// A number of frames; nil for one that is impossible, which no version of this program stores.
  package func frameCount(_ column: String) throws -> Int64? {
    let count: Int64? = try self[column]
    return count.flatMap { (0...Self.largestFrameCount).contains($0) ? $0 : nil }
  }
}

extension MediaFormat {
  /// From the columns of `file`, `stream` and `audio` that ``columns`` names; nil if no rate and no codec is known.
  package init?(row: Row) throws {
    let codec: String? = try row["codec"]
    let rate: Int? = try row["sample_rate_hz"]
    let container: String? = try row["container"]
    guard container != nil || codec != nil || rate != nil else { return nil }
    try self.init(
      container: Container(rawValue: container ?? ""), codec: codec.map(Codec.init(rawValue:)),
      sampleRateInHz: rate, channelCount: row["channels"], bitsPerSample: row["bits"],
      bitRateInBitsPerSecond: row["bitrate_bps"], declaredFrameCount: row.frameCount("declared_frames"),
      decodedFrameCount: row.frameCount("decoded_frames"), delayFrameCount: row["delay_frames"],
      paddingFrameCount: row["padding_frames"])
  }
}

extension Tags {
  /// All tags of a file; none if it is gone.
  package init(ofFile id: Int64, _ db: Database) throws {
    var properties: [Property] = []
    for row in try Row.fetchAll(
      db, sql: "SELECT name, value FROM file_tag WHERE file_id = ? ORDER BY name, position", arguments: [id])
    {
      let name: String = try row[0]
      if properties.last?.name == name {
        try properties[properties.count - 1].values.append(row[1])
      } else {
        try properties.append(Property(name: name, values: [row[1]]))
      }
    }
    self.init(properties)
  }
}
