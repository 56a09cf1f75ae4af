import Foundation
import LibraryQueries
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// Tags of many files through the API, as the commands see them.
struct TagRoutesTests {
  private static let album = "path:\"Run-out Groove\""

  private struct Field {
    var document: [String: Any]

    func count(_ name: String) -> Int { document[name] as? Int ?? -1 }

    func lists(_ name: String = "values") -> [[String]: Int] {
      Dictionary(
        (document[name] as? [[String: Any]] ?? []).map { ($0["values"] as? [String] ?? [], $0["files"] as? Int ?? 0) },
        uniquingKeysWith: +)
    }
  }

  private func fields(_ library: ServedLibrary, _ query: String = album) async throws -> [String: Field] {
    let answer = try await library.ask("/api/v1/tags?q=\(ServedLibrary.encoded(query))")
    #expect(answer.status == 200, "\(answer.text)")
    let fields = answer.document["fields"] as? [[String: Any]] ?? []
    return Dictionary(uniqueKeysWithValues: fields.map { ($0["name"] as? String ?? "", Field(document: $0)) })
  }

  private func correct(_ library: ServedLibrary, _ what: String, _ query: String = album) async throws -> HTTPAnswer {
    let query = query.replacing("\"", with: "\\\"")
    return try await library.ask("/api/v1/tags", "POST", body: "{\"q\": \"\(query)\", \(what)}")
  }

  private func rows(_ library: ServedLibrary, _ field: String) async throws -> [String?] {
    let answer = try await library.ask(
      "/api/v1/tracks?q=\(ServedLibrary.encoded(Self.album))&fields=\(field)&limit=500")
    return (answer.document["rows"] as? [[String: Any]] ?? []).map { $0[field].flatMap { "\($0)" } }
  }

  @Test func `values are counted, and missing ones are values, too`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    let fields = try await fields(library)
    let titles = try await rows(library, "title")
    #expect(titles.count > 2)
    // As the columns have it, which queries read.
    for name in ["title", "album", "track", "disc"] {
      let column = try await rows(library, name).map { $0 == "<null>" ? nil : $0 }
      let wanted = Dictionary(grouping: column) { $0 }.map { ($0.key.map { [$0] } ?? [], $0.value.count) }
      #expect(fields[name]?.lists() == Dictionary(uniqueKeysWithValues: wanted), "\(name)")
      #expect(fields[name]?.count("value_count") == wanted.count, "\(name)")
    }
    #expect(fields["title"]?.document["kind"] as? String == "text")
    #expect(fields["title"]?.document["scope"] as? String == "recording")
    #expect(fields["album"]?.document["scope"] as? String == "file")
    #expect(fields["track"]?.document["kind"] as? String == "number")
    // What is measured or an attribute is no tag.
    #expect(fields["duration"] == nil && fields["rating"] == nil)
  }

  @Test func `several fields are corrected in one change, which undo takes back`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    let deadwax = try library.command()
    let before = try await fields(library)
    let count = try await rows(library, "title").count
    let tried = try await correct(
      library, #""set": {"album": ["Tides"]}, "add": {"genre": ["Live", "Dub"]}, "dry_run": true"#)
    #expect(tried.document["dry_run"] as? Bool == true && tried.document["changed_files"] as? Int == count)
    #expect(try await deadwax.must(["tags", "list"]).text.isEmpty)
    let answer = try await correct(
      library, #""set": {"album": ["Tides"], "comment": []}, "add": {"genre": ["Live", "Dub"]}"#)
    #expect(answer.status == 200 && answer.document["changed_files"] as? Int == count, "\(answer.text)")
    #expect(
      try await deadwax.must(["ls", "--format", "paths", "album:=Tides genre:=Dub is:corrected"]).text.split(
        separator: "\n"
      ).count == count)
    let after = try await fields(library)
    #expect(after["album"]?.lists() == [["Tides"]: count])
    #expect(after["album"]?.count("active") == count)
    #expect(after["album"]?.lists("file_values") == before["album"]?.lists())
    for (values, number) in before["genre"]?.lists() ?? [:] {
      #expect(after["genre"]?.lists()[values + ["Live", "Dub"]] == number)
    }
    let removed = try await correct(library, #""remove": {"genre": ["Live", "never there"]}"#)
    #expect(removed.document["changed_files"] as? Int == count)
    for _ in 0..<2 { #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 200) }
    let restored = try await fields(library)
    for name in ["album", "genre", "comment"] {
      #expect(restored[name]?.lists() == before[name]?.lists() && restored[name]?.count("active") == 0)
    }
    #expect(try await deadwax.must(["tags", "list"]).text.isEmpty)
  }

  @Test func `what is reverted is what files say, field by field`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    let before = try await fields(library)
    _ = try await correct(library, #""set": {"album": ["Tides"], "genre": ["Dub"], "MY OWN": ["x"]}, "new": true"#)
    #expect(try await fields(library)["my own"]?.lists().keys.contains(["x"]) == true)
    #expect(try await correct(library, #""revert": ["genre"]"#).status == 200)
    #expect(try await fields(library)["genre"]?.lists() == before["genre"]?.lists())
    #expect(try await fields(library)["album"]?.lists().count == 1)
    #expect(try await correct(library, #""revert": true"#).status == 200)
    #expect(try await fields(library)["album"]?.lists() == before["album"]?.lists())
    #expect(try await library.command().must(["tags", "list"]).text.isEmpty)
  }

  @Test func `who wins is chosen for a field whose tag has changed since`() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    let library = try await ServedLibrary(of: ScannedMusic(music))
    let (deadwax, all) = (try library.command(), "")
    _ = try await correct(library, #""set": {"genre": ["Dub"], "title": ["Ebb"]}"#, all)
    // Somebody else writes both tags into the file.
    let other = try DeadwaxCommand()
    try await other.must(["scan", "-q", music.path])
    try await other.must(["tags", "set", "genre=Folk", "title=Flow", "--all"])
    try await other.must(["tags", "write", "--all", "--yes", "-q"])
    try await deadwax.must(["scan", "-q", music.path])
    for name in ["genre", "title"] { #expect(try await fields(library, all)[name]?.count("conflicts") == 1) }
    #expect(try await fields(library, all)["genre"]?.lists("file_values") == [["Folk"]: 1])
    let answer = try await correct(library, #""resolve": {"mine": ["genre"], "files": ["title"]}"#, all)
    #expect(answer.document["corrections"] as? Int == 2, "\(answer.text)")
    let settled = try await fields(library, all)
    #expect(settled["genre"]?.lists() == [["Dub"]: 1] && settled["genre"]?.count("active") == 1)
    #expect(settled["title"]?.lists() == [["Flow"]: 1] && settled["title"]?.count("active") == 0)
  }

  @Test func `more files than the limit are refused, and so are none`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    try library.server.library.reading { store in
      let count = try store.fileIDs(of: store.query("")).count
      #expect(try FileSelection.query("").ids(limit: count, in: store).count == count)
      #expect(throws: HTTPProblem.self) { try FileSelection.query("").ids(limit: count - 1, in: store) }
      #expect(throws: HTTPProblem.self) { try FileSelection.query("title:nothing-is-called-so").ids(in: store) }
    }
    #expect(FileSelection.largestCount == 10_000)
  }
}
