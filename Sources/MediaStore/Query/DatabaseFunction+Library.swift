internal import GRDB
internal import MediaModel

extension DatabaseFunction {
  /// `fold(text)`: without case and accents.
  static let fold = DatabaseFunction("fold", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).map(TextFolding.fold)
  }

  /// `number(text)`: the number at the start of a tag, NULL where there is none.
  static let number = DatabaseFunction("number", argumentCount: 1, pure: true) { values in
    values.first.flatMap(String.fromDatabaseValue).flatMap(QueryNumber.leading)
  }
}
