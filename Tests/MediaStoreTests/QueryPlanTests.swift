import MediaModel
import MediaStore
import Testing

/// The main queries use the indexes they are meant to use.
struct QueryPlanTests {
  func plan(_ text: String) throws -> String {
    let library = try TemporaryLibrary()
    let query = try library.store.query(text)
    return try library.store.plan(of: query, fields: MediaStore.fields).joined(separator: "\n")
  }

  @Test func `everything comes in the order of the paths without a sort`() throws {
    let plan = try plan("")
    #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    #expect(plan.contains("sqlite_autoindex_file_1"), "\(plan)")
  }

  @Test func `a track is found by its id`() throws {
    #expect(try plan("id:17").contains("SEARCH file USING INDEX file_by_audio (audio_id=?)"))
  }

  @Test func `a state is found by its index`() throws {
    #expect(try plan("state:=missing").contains("file_by_state (state=?)"))
  }

  @Test func `a tag is looked up file by file, in the order of its key`() throws {
    let plan = try plan("bpm:>120")
    #expect(plan.contains("SEARCH tag USING PRIMARY KEY (file_id=? AND name_id=?)"), "\(plan)")
  }
}
