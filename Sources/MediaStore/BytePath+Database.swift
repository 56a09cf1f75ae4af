internal import Foundation
internal import MediaModel

extension BytePath {
  /// The bytes as SQLite takes them for a BLOB.
  var data: Data { Data(bytes) }
}
