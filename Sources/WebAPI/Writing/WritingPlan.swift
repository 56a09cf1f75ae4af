internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryScanning
internal import MediaStore
internal import QueryLanguage
internal import TagEditing
internal import TagWriting

/// What is to be written into files.
struct WritingRequest: Sendable {
  enum Subject: String, CaseIterable, Sendable {
    case corrections
    /// The cover that is shown.
    case cover
    /// No front cover.
    case noCover = "no-cover"
  }

  var selection: FileSelection
  var subject: Subject
  var options: WriteOptions

  /// What the change is called.
  func summary(_ fileCount: Int) -> String {
    let verb =
      switch subject {
      case .corrections: "write tags of"
      case .cover: "embed covers in"
      case .noCover: "remove covers from"
      }
    return "\(verb) \(fileCount) file\(fileCount == 1 ? "" : "s")"
  }
}

/// What a preview has shown: files as the library has them, and what is to become of each. It holds for exactly that.
struct WritingPlan: Hashable, Sendable {
  private(set) var files: [WritableFile]
  /// One for each file.
  private(set) var edits: [TagEdit]
  /// The number of files that are selected and not missing.
  let foundCount: Int

  private static let largestCoverCount = 1_000

  /// Finds out what is wanted of files; none of them is looked at.
  ///
  /// - Throws: ``HTTPProblem`` for too many, and errors of the query.
  init(_ request: WritingRequest, in store: MediaStore) throws {
    // Their pictures are in memory until they are written.
    let limit = request.subject == .cover ? Self.largestCoverCount : FileSelection.largestCount
    let found = try request.selection.ids(limit: limit, in: store)
    let files = try store.fileChanges.files(found)
    let wanted: WantedEdits =
      switch request.subject {
      case .corrections: WantedEdits(writesCorrections: true)
      case .cover: WantedEdits(cover: .shown)
      case .noCover: WantedEdits(cover: WantedEdits.Cover.none)
      }
    let edits = try wanted.edits(for: files, of: .everything, in: store)
    let pairs = zip(files, edits).filter { !$1.changes.isEmpty }
    (self.files, self.edits, foundCount) = (pairs.map(\.0), pairs.map(\.1), files.count)
  }

  /// The part of it that is about some files.
  func part(_ isWanted: (WritableFile) -> Bool) -> WritingPlan {
    var part = self
    let pairs = zip(files, edits).filter { isWanted($0.0) }
    (part.files, part.edits) = (pairs.map(\.0), pairs.map(\.1))
    return part
  }
}

/// The files that a call corrects or writes.
enum FileSelection: Hashable, Sendable {
  /// Those that a query finds.
  case query(String)
  /// Some, by their ids: a correction may be why a query no longer finds them.
  case files([Int64])

  static let largestCount = 10_000

  /// `q` or `files` of a body.
  init(_ body: JSONValue) throws(HTTPProblem) {
    switch (body["q"], body["files"]) {
    case (let query?, nil):
      guard let text = query.string else { throw HTTPProblem(422, "q is the query that finds the files") }
      self = .query(text)
    case (nil, let files?):
      let ids = files.array?.compactMap { $0.double.flatMap { Int64(exactly: $0) } }
      guard let ids, ids.count == files.array?.count, Set(ids).count == ids.count else {
        throw HTTPProblem(422, "files is a list of ids, each once")
      }
      self = .files(ids)
    default: throw HTTPProblem(422, "either q or files is needed")
    }
  }

  /// In the order of the query.
  ///
  /// - Throws: ``HTTPProblem`` if there are too many, or none.
  func ids(limit: Int = largestCount, in store: MediaStore) throws -> [Int64] {
    let ids =
      switch self {
      case .query(let text): try store.fileIDs(of: store.query(text), limit: limit + 1)
      case .files(let ids): ids
      }
    guard ids.count <= limit else { throw HTTPProblem(422, "at most \(limit) files are changed at once") }
    guard !ids.isEmpty else { throw HTTPProblem(404, "there is no such file") }
    return ids
  }
}
