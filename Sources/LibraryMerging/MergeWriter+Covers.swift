internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel

// MARK: - Covers

extension MergeWriter {
  /// Adds the pictures beside files of the other library; the next scan looks whether they are still there. What this library knows of
  /// a picture stays.
  func mergeFolderPictures() throws {
    let columns = try TableColumns(of: "folder_picture", except: ["id", "root_id", "path", "path_text", "folder"], db)
    try rows.forEach("SELECT root_id, path, \(columns.list) FROM folder_picture ORDER BY root_id, path", []) { row in
      guard let place = progress.places[try row[0]] else { return }
      let path = try place.prefix.appending(BytePath(row[1] as Data))
      try run(
        """
        INSERT INTO folder_picture (root_id, path, path_text, \(columns.list)) VALUES (?, ?, ?, \(columns.parameters))
        ON CONFLICT (root_id, path) DO NOTHING
        """,
        StatementArguments(
          [place.rootID.databaseValue, path.data.databaseValue, path.displayString.databaseValue]
            + (try columns.values(row, from: 2))))
    }
  }

  /// Adds the bytes of a picture that was chosen as a cover; those in tags come with their files.
  func mergeChosenCover(_ hash: ContentHash) throws {
    let id: Int64? = try rows.first("SELECT id FROM artwork WHERE hash = ?", [Data(hash.bytes)])?[0]
    if let id { _ = try pictureID(id) }
  }
}
