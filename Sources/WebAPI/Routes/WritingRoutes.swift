internal import Base
internal import HTTPServing
internal import LibraryScanning
internal import LibraryServing
internal import MediaStore
internal import TagWriting

/// What is written into music files, if `serve --may-write-music` allows it: a plan is made, shown, and written as it was shown.
struct WritingRoutes {
  let library: LibraryAccess
  let writing: FileWriting

  var routes: [Route] {
    [
      Route(.post, "/plans", "Starts planning what would be written into files.", plan),
      Route(
        .get, "/plans/{id}", "A plan: its progress, and the result for each file.",
        [PageParameters.from, PageParameters.limit], needs: .owner, state),
      Route(.post, "/plans/{id}/write", "Starts writing the files of a plan, if nothing has changed since.", write),
      Route(.delete, "/plans/{id}", "Cancels a plan that is being made or written, or deletes it.", answers: [], end),
      Route(.get, "/file-changes", "Changes written into files, the latest first.", needs: .owner, changes),
      Route(.post, "/file-changes/{id}/undo", "Starts restoring the files of a change.", undo),
    ]
  }

  private func plan(_ call: Call) throws -> Reply {
    let body = try call.document()
    let selection = try FileSelection(body)
    guard let subject = body["write"]?.string.flatMap({ WritingRequest.Subject(rawValue: $0) }) else {
      throw HTTPProblem(422, "write is corrections, cover or no-cover")
    }
    func flag(_ name: String) throws(HTTPProblem) -> Bool {
      guard let value = body[name] else { return false }
      guard let flag = value.bool else { throw HTTPProblem(422, "\(name) is true or false") }
      return flag
    }
    let options = WriteOptions(
      keepsModificationTime: try flag("keep_mtime"), breaksLinks: try flag("break_links"))
    let id = try writing.plan(WritingRequest(selection: selection, subject: subject, options: options))
    return Reply(status: 202, .object(["id": .integer(id)]))
  }

  private func state(_ call: Call) throws -> Reply {
    let (from, limit) = (try call[PageParameters.from], try call[PageParameters.limit])
    let job = try writing.job(try call.id(of: "plan"))
    return try Reply(job.members, "rows", JSONRows(Array(job.rows.part(from: from, limit: limit))) { $0.document })
  }

  private func write(_ call: Call) throws -> Reply {
    _ = try call.document()
    let id = try call.id(of: "plan")
    try writing.write(id)
    return Reply(status: 202, .object(["id": .integer(id)]))
  }

  private func end(_ call: Call) throws -> Reply {
    try writing.end(try call.id(of: "plan"))
    return .noContent
  }

  private let largestChangeCount = 100

  private func changes(_ call: Call) throws -> Reply {
    let (changes, byteCount) = try library.reading { store in
      (try store.fileChanges.all(limit: largestChangeCount), try store.fileChanges.undoByteCount())
    }
    return try Reply(
      ["undo_bytes": .integer(byteCount)], "changes",
      JSONRows(changes) { change in
        .object([
          "id": .integer(change.id), "summary": .string(change.summary),
          "made_at": .string(Timestamp(secondsSince1970: change.madeAt).description),
          "files": .integer(change.fileCount), "files_undoable": .integer(change.doneCount),
          "files_interrupted": .integer(change.openCount), "files_changed_since": .integer(change.foreignCount),
        ])
      })
  }

  private func undo(_ call: Call) throws -> Reply {
    _ = try call.document()
    let id = try writing.undo(try call.id(of: "change"))
    return Reply(status: 202, .object(["id": .integer(id)]))
  }
}
