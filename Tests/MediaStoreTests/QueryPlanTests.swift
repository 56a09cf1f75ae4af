import LibraryQueries
import LibraryScanning
import MediaModel
import MediaStore
import QueryLanguage
import Testing

/// The main queries use the indexes they are meant to use.
struct QueryPlanTests {
  let library: TemporaryLibrary

  /// A thousand files, of which one in ten is loud and one is called by a rare word.
  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply(
      (1...1_000).map { number in
        var extraction = Sample.extraction(UInt64(number), title: number == 500 ? "Zanzibar" : "Common \(number)")
        extraction.measures?.integratedLoudnessInLUFS = number.isMultiple(of: 10) ? -6 : -20
        return .extracted(Sample.record("a/\(number).flac", extraction))
      })
  }

  func plan(_ text: String, limit: Int? = nil) throws -> String {
    let query = try library.store.query(text)
    return try library.store.plan(of: query, fields: MediaStore.fields, limit: limit).joined(separator: "\n")
  }

  @Test func `everything comes in the order of the paths without a sort`() throws {
    let plan = try plan("")
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    #expect(plan.contains("SCAN file USING INDEX sqlite_autoindex_file_1"), "\(plan)")
  }

  @Test func `a track is found by its id`() throws {
    #expect(try plan("id:17").contains("SEARCH file USING INDEX file_by_audio (audio_id=?)"))
  }

  @Test func `a state is found by its index`() throws {
    #expect(try plan("state:=missing").contains("file_by_state (state=?)"))
  }

  @Test(arguments: [
    "zanzibar", "anzib", "za", "title:zanzibar", "title:=Zanzibar", "zanzibar lufs:>-30", "path:a/500.flac",
  ])
  func `a rare text is found by the search index`(text: String) throws {
    let plan = try plan(text)
    #expect(
      plan.contains("SCAN json_each VIRTUAL TABLE INDEX") && plan.contains("SEARCH file USING INTEGER PRIMARY KEY"),
      "\(plan)")
  }

  @Test func `a text that is everywhere is looked for in the order of the paths`() throws {
    let plan = try plan("common", limit: 5)
    #expect(plan.contains("SCAN file USING INDEX sqlite_autoindex_file_1") && !plan.contains("TEMP B-TREE"), "\(plan)")
  }

  @Test(arguments: ["c", "co", "title:c", "-zanzibar c", "za , c"])
  func `a short text that the first files have is not looked for in the index`(text: String) throws {
    let plan = try plan(text, limit: 50)
    #expect(plan.contains("SCAN file USING INDEX sqlite_autoindex_file_1") && !plan.contains("search"), "\(plan)")
    let query = try library.store.query(text)
    let whole = try library.store.fileIDs(of: query)
    #expect(try library.store.fileIDs(of: query, limit: 50) == Array(whole.prefix(50)))
  }

  @Test(arguments: [1, 99, 100, 101, Int.max])
  func `a short text is found with any limit`(limit: Int) throws {
    let found = try library.store.fileIDs(of: try library.store.query("title:c"), limit: limit)
    #expect(found.count == min(limit, 999))
  }

  @Test(arguments: ["z", "za", "title:za", "za -c"])
  func `a short text that they do not have is`(text: String) throws {
    #expect(!(try plan(text, limit: 50)).contains("SCAN file USING INDEX sqlite_autoindex_file_1"))
  }

  @Test func `a statement that is interrupted ends, and the next one does not`() throws {
    let query = try library.store.query("common")
    var count = 0
    #expect(throws: StoreError.self) {
      try library.store.forEachRow(of: query, fields: [.id]) { _ in
        count += 1
        library.store.interrupt()
      }
    }
    #expect(count < 10)
    #expect(try library.store.fileIDs(of: query).count == 999)
  }

  @Test func `few files within a range are found by its index`() throws {
    #expect(try plan("lufs:>-10").contains("SEARCH measures USING INDEX measures_by_loudness (loudness_lufs>?)"))
    #expect(try plan("duration:<1").contains("SEARCH file USING INDEX file_by_duration (duration_s<?)"))
  }

  @Test func `the first of many are read in the order of an index`() throws {
    let plan = try plan("lufs:<-10 year-", limit: 5)
    #expect(plan.contains("SEARCH file USING INDEX file_by_year") && !plan.contains("TEMP B-TREE"), "\(plan)")
    let loud = try self.plan("common lufs-", limit: 5)
    #expect(loud.contains("measures USING INDEX measures_by_loudness"), "\(loud)")
    // That of the field `list` is correlated.
    #expect(!loud.contains("\nLIST SUBQUERY"), "\(loud)")
  }

  @Test func `the first of some hundred are read in the order of an index, among what another index names`() throws {
    let plan = try plan("lufs:>-10 duration-", limit: 5)
    #expect(plan.contains("file USING INDEX file_by_duration"), "\(plan)")
    #expect(plan.contains("SEARCH measures USING COVERING INDEX measures_by_loudness (loudness_lufs>?)"), "\(plan)")
  }

  @Test func `a preset is found by the key of what it is assigned to`() throws {
    let plan = try plan("preset:warm")
    #expect(
      plan.contains(
        """
        SEARCH a USING PRIMARY KEY (scope=? AND hash=? AND artist=? AND album=? AND start_frame=? AND end_frame=? AND \
        person_id=?)
        """),
      "\(plan)")
    #expect(!plan.contains("SCAN a"), "\(plan)")
  }

  @Test func `a tag is looked up file by file, in the order of its key`() throws {
    let plan = try plan("movementnumber:>120")
    #expect(plan.contains("SEARCH tag USING PRIMARY KEY (file_id=? AND name_id=?)"), "\(plan)")
  }
}
