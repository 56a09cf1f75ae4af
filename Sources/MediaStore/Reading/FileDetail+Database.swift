internal import Foundation
internal import GRDB
internal import MediaModel

extension FileDetail {
  /// The columns that ``init(row:)`` reads, over `file JOIN root`.
  static let columns = """
    file.id, root.path AS root_path, file.path, file.size_bytes, file.mtime_ns, file.state, file.problem_code, file.problem_reason,
    file.problem_position_s, file.notes, file.attempts, file.added_at, file.missing_since
    """

  init(row: Row) throws {
    let notes: String? = try row["notes"]
    try self.init(
      id: row["id"], path: BytePath(row["root_path"] as Data).appending(BytePath(row["path"] as Data)),
      byteCount: row["size_bytes"], modificationTimeInNanoseconds: row["mtime_ns"],
      state: FileState(rawValue: row["state"]) ?? .pending, problem: Problem(row: row),
      notes: notes.flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) } ?? [],
      attempts: row["attempts"], addedAt: row["added_at"], missingSince: row["missing_since"])
  }
}
