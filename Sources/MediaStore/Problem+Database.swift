internal import GRDB
internal import MediaModel

extension Problem {
  /// From the columns `problem_code`, `problem_reason` and `problem_position_s`; nil where there is no problem.
  init?(row: Row) throws {
    guard let code: String = try row["problem_code"] else { return nil }
    try self.init(code: code, reason: row["problem_reason"] ?? code, positionInSeconds: row["problem_position_s"])
  }

  var arguments: StatementArguments {
    ["problem_code": code, "problem_reason": reason, "problem_position_s": positionInSeconds?.finite]
  }
}

extension Optional where Wrapped == Problem {
  /// The three columns, NULL where there is no problem.
  var arguments: StatementArguments {
    self?.arguments
      ?? ["problem_code": nil as String?, "problem_reason": nil as String?, "problem_position_s": nil as Double?]
  }
}

extension Double {
  /// The number itself; nil for NaN and infinities, which have no place in a library.
  var finite: Double? { isFinite ? self : nil }
}
