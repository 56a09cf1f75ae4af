internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// Lists of tracks: pages, counts, and where rows are.
struct ListingRoutes {
  let library: LibraryAccess
  let results: ResultLists
  private let counts = CountCache()

  var routes: [Route] {
    [
      Route(
        .get, "/tracks", "A page of the tracks that match a query.",
        [
          PageParameters.query, PageParameters.sort, fields, PageParameters.from, PageParameters.limit,
          PageParameters.revision,
        ], page),
      Route(
        .get, "/tracks/count", "The number of files that match a query, and their sums.", [PageParameters.query],
        work: .searching, count),
      Route(
        .get, "/tracks/rank", "The position of a file or recording among the matches.",
        [PageParameters.query, PageParameters.sort, file, recording, PageParameters.revision], rank),
      Route(
        .get, "/tracks/jumps", "The first row of each initial letter in the sort order.",
        [PageParameters.query, PageParameters.sort, PageParameters.revision], work: .searching, jumps),
      Route(
        .get, "/tracks/outlines", "Small waveforms of several recordings.", [ids, points],
        answers: [.bytes], outlines),
    ]
  }

  private let fields = Parameter<String>.text(
    "fields", "fields separated by commas, as `deadwax ls --fields` takes them")
  private let file = Parameter<Int64?>.optionalInteger("file", "the id of a file", 1...Int64.max)
  private let recording = Parameter<Int64?>.optionalInteger("id", "the id of a recording", 1...Int64.max)
  private let ids = Parameter<[Int64]>.ids("ids", "at most 200 ids of recordings, separated by commas", limit: 200)
  private let points = Parameter<Int64>.integer("points", "points of each, 8 to 512", 8...512, default: 72)

  private let usualFields =
    "title,artist,albumartist,album,track,disc,year,genre,duration,codec,rate,channels,bits,lufs,lra,truepeak,bpm,key,camelot,preset,state,filename"

  /// Results that begin with few rows are not searched to their end for the first page.
  private let quickRowCount: Int64 = 1000

  // MARK: - Pages

  private func page(_ call: Call) throws -> Reply {
    let (from, limit) = (try call[PageParameters.from], try call[PageParameters.limit])
    let key = ResultLists.Key(query: try call[PageParameters.query], sort: try call[PageParameters.sort])
    let revision = try call[PageParameters.revision]
    let names = try call[self.fields]
    let (found, fields) = try library.reading { store in
      let fields = try self.fields(named: names.isEmpty ? usualFields : names, in: store)
      let present = try store.revision()
      let found: (revision: String, ids: [Int64], total: Int?)
      let known = try results.known(key, revision: revision, in: store)
      if from + limit > quickRowCount || known != nil {
        let result = try known ?? results.result(for: key, revision: revision, in: store)
        found = (result.revision, Array(result.fileIDs.part(from: from, limit: limit)), result.fileIDs.count)
      } else {
        let query = try store.query(key.query, sortedBy: key.sort)
        let ids = try store.fileIDs(of: query, limit: Int(from + limit))
        let isAll = Int64(ids.count) < from + limit
        found = (present, Array(ids.part(from: from, limit: limit)), isAll ? ids.count : nil)
      }
      return (found, fields)
    }
    return try Reply(
      ["revision": .string(found.revision), "from": .integer(from), "total": .integer(found.total)], "rows",
      rows(found.ids, fields, call))
  }

  private func fields(named text: String, in store: MediaStore) throws -> [QueryField] {
    let vocabulary = store.vocabulary
    let names = text.split(separator: ",")
    guard names.count <= 64 else { throw HTTPProblem(422, "fields: at most 64") }
    return try names.map { name in
      guard let field = vocabulary[String(name)] else { throw HTTPProblem(422, "there is no field \(name)") }
      return field
    }
  }

  private func rows(_ ids: [Int64], _ fields: [QueryField], _ call: Call) -> JSONRows {
    /// No more rows are wanted now.
    struct Enough: Error {}
    let fields = [.id] + fields.filter { $0 != .id }
    return library.rows(ids.count) { store, range, take in
      var place = range.lowerBound
      do {
        try store.forEachListRow(ofFiles: Array(ids[range]), fields: fields) { row in
          guard case .integer(let id) = row.cell(0) else { return }
          // Files that are gone have no row.
          while place < range.upperBound, ids[place] != id { place += 1 }
          let members = row.fields.indices.flatMap { RowText.cut(row.value($0)).members(key: row.fields[$0].name) }
          guard take(place, .object(members)) else { throw Enough() }
          place += 1
        }
      } catch is Enough {}
    }
  }

  // MARK: - Counts and places

  private func count(_ call: Call) throws -> Reply {
    let text = try call[PageParameters.query]
    return try library.reading { store in
      let key = CountCache.Key(path: call.path, query: try store.query(text), revision: try store.revision())
      return Reply(try counts.document(for: key) { try sums(of: key.query, key.revision, in: store) })
    }
  }

  private func sums(of query: Query, _ revision: String, in store: MediaStore) throws -> JSONValue {
    let sums = ["duration", "size"].compactMap { name in
      store.vocabulary[name].flatMap { QueryGrouping.Measure(.sum, of: $0) }
    }
    var values: [FieldValue] = []
    try store.forEachGroup(of: query, QueryGrouping(by: [], hasCount: true, measures: sums)) { values = $0.values }
    func number(_ index: Int) -> JSONValue {
      values.indices.contains(index) ? values[index].members(key: "")[0].value : .integer(0)
    }
    return .object([
      "revision": .string(revision), "files": number(0), "duration_seconds": number(1), "size_bytes": number(2),
    ])
  }

  private func result(_ call: Call, in store: MediaStore) throws -> ResultLists.Result {
    try results.result(
      for: ResultLists.Key(query: try call[PageParameters.query], sort: try call[PageParameters.sort]),
      revision: try call[PageParameters.revision], in: store)
  }

  private func rank(_ call: Call) throws -> Reply {
    let (file, recording) = (try call[self.file], try call[self.recording])
    guard file != nil || recording != nil else { throw HTTPProblem(422, "file or id is needed") }
    return try library.reading { store in
      let result = try result(call, in: store)
      var files = Set([file].compactMap { $0 })
      if let recording, file == nil { files = Set(try store.files.all(ofRecording: recording).map(\.id)) }
      return Reply(
        .object([
          "revision": .string(result.revision), "row": .integer(result.fileIDs.firstIndex { files.contains($0) }),
        ]))
    }
  }

  /// Reads the first field of the order in every row, and notes where its first letter changes.
  private func jumps(_ call: Call) throws -> Reply {
    try library.reading { store in
      let result = try result(call, in: store)
      let query = try store.query(try call[PageParameters.query], sortedBy: try call[PageParameters.sort])
      guard let field = query.order.first?.field, field.randomSeed == nil else {
        throw HTTPProblem(422, "sort names no field")
      }
      var jumps: [(text: String, row: Int)] = []
      var row = 0
      try store.forEachListRow(ofFiles: result.fileIDs, fields: [field]) { line in
        defer { row += 1 }
        guard let text = heading(line.value(1)), text != jumps.last?.text else { return }
        jumps.append((text, row))
      }
      // Numbers have a heading for nearly every row.
      let limit = field.kind.isNumber ? 40 : largestJumpCount
      let step = max(1, (jumps.count + limit - 1) / limit)
      return Reply(
        .object([
          "revision": .string(result.revision), "field": .string(field.name),
          "jumps": .array(
            stride(from: 0, to: jumps.count, by: step).map {
              .object(["text": .string(jumps[$0].text), "row": .integer(jumps[$0].row)])
            }),
        ]))
    }
  }

  /// Letters of all scripts are fewer, unless texts are made to have others.
  private let largestJumpCount = 10_000

  private func heading(_ value: FieldValue) -> String? {
    switch value {
    case .none: nil
    case .text(let text): letter(TextFolding.fold(RowText.cut(text)))
    case .path(let path): letter(path.lastComponent.displayString)
    case .integer(let number): String(number)
    case .real(let number): DecimalText.number(number, places: 1)
    case .instant(let seconds): String(Timestamp(secondsSince1970: seconds).description.prefix(7))
    }
  }

  /// The first letter of a text; a hostile one can have thousands of accents.
  private func letter(_ text: String) -> String? {
    text.first.map { $0.utf8.count <= 16 ? String($0).uppercased() : "#" }
  }

  // MARK: - Outlines

  private func outlines(_ call: Call) throws -> Reply {
    let (ids, pointCount) = (try call[self.ids], Int(try call[self.points]))
    return try library.reading { store in
      var known: [Int64: [UInt8]] = [:]
      var bytes: [UInt8] = []
      bytes.reserveCapacity(ids.count * pointCount * 4)
      for id in ids {
        try ClientDisconnect.check()
        let own = try known[id] ?? outline(of: id, pointCount, store)
        known[id] = own
        bytes += own
      }
      return call.tagged(bytes, .bytes)
    }
  }

  /// Four bytes a point. One that is damaged is drawn empty; `doctor` reports it.
  private func outline(of id: Int64, _ pointCount: Int, _ store: MediaStore) throws -> [UInt8] {
    let energy = try? store.products.product(.waveformEnergy, ofRecording: id).map {
      try WaveformEnergy(blob: $0.bytes)
    }
    guard let energy, !energy.points.isEmpty else { return [UInt8](repeating: 0, count: pointCount * 4) }
    return (0..<pointCount).flatMap { point in
      let first = energy.points.count * point / pointCount
      let last = max(first + 1, energy.points.count * (point + 1) / pointCount)
      return energy.mean(of: first..<last).steps
    }
  }
}
