import Foundation
import Glibc
import Testing
import TestSupport

/// Files that a scan does not look at: those that are no sounds, and known ones that a rule leaves out.
struct LeftOutFilesTests {
  private struct Report: Decodable {
    var found, new, unchanged, missing, problems, excluded: Int
  }

  private struct Pruned: Decodable {
    struct Path: Decodable {
      var path: String
      var cause: String
    }
    var files: Int
    var paths: [Path]
  }

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  private let sample: Data

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    sample = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
    for (index, name) in ["one/a.wav", "one/b.wav", "two/c.wav"].enumerated() {
      try music.write(sample.dropLast() + [UInt8(index)], to: name)
    }
  }

  private func scan(_ options: String...) async throws -> Report {
    let outcome = try await deadwax.run(["scan", "--json", music.path] + options)
    #expect(outcome.status == 0, "\(outcome)")
    return try outcome.document()
  }

  private func names(_ query: String) async throws -> [String] {
    let list = try await deadwax.run(["ls", "--format", "paths", query])
    return list.text.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent }.sorted()
  }

  @Test func `a file with neither the bytes nor the name of a sound is none of the library's`() async throws {
    let source: [String: String] = [
      "go.mod": "module example.org/tool\n\ngo 1.24\n", "py.typed": "", "README": "", "LICENSE": "Free to use.\n",
      "Makefile": "all:\n\ttrue\n", "main.go": "package main\n", "notes.q": "no sound",
    ]
    for (name, text) in source { try music.write(Array(text.utf8), to: "source/\(name)") }
    // The bytes of a sound, and the name of one.
    try music.write(sample.dropLast() + [9], to: "source/sound.q")
    try music.write(Array("not found".utf8), to: "page.mp3")
    for report in [try await scan(), try await scan("--deep")] {
      #expect(report.found == 5 && report.problems == 1)
    }
    let problems = try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self)
    #expect(problems.map { URL(filePath: $0.path).lastPathComponent } == ["page.mp3"])
    #expect(try await names("state:ok") == ["a.wav", "b.wav", "c.wav", "sound.q"])
    #expect(try await deadwax.run(["prune", "--json"]).document(Pruned.self).files == 0)
  }

  @Test func `a module of a tracker is found by its bytes`() async throws {
    var module = [UInt8](repeating: 0, count: 1_084)
    module.replaceSubrange(1_080..<1_084, with: Array("M.K.".utf8))
    try music.write(module, to: "tune.mod")
    #expect(try await scan().found == 4)
    #expect(try await names("container:module") == ["tune.mod"])
  }

  @Test func `a row of a file that is no sound, from an older library, goes by prune only`() async throws {
    try music.write(Array("no sound".utf8), to: "notes.q")
    _ = try await scan()
    let row = """
      INSERT INTO file (root_id, path, path_text, name_text, extension, size_bytes, mtime_ns, ctime_ns, inode, device,
                        last_state, attempts, extractor_version, added_at, extracted_at, search_text)
      SELECT id, CAST('notes.q' AS BLOB), 'notes.q', 'notes.q', 'q', 8, mtime_ns, 0, 0, 0, 'unsupported', 1, 3, 0, 0, ''
        FROM (SELECT root_id AS id, \(try modificationTime("notes.q")) AS mtime_ns FROM file LIMIT 1)
      """
    let inserted = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"), [deadwax.library.path, row])
    try #require(inserted.status == 0, "\(inserted)")
    #expect(try await scan().found == 3)
    let pruned = try await deadwax.run(["prune", "--json"]).document(Pruned.self)
    #expect(pruned.paths.map(\.cause) == ["no sound"] && pruned.paths[0].path.hasSuffix("/notes.q"))
    #expect(try await deadwax.run(["prune", "--yes"]).status == 0)
    #expect(try await deadwax.run(["prune", "--json"]).document(Pruned.self).files == 0)
    #expect(try await names("") == ["a.wav", "b.wav", "c.wav"])
  }

  private func modificationTime(_ name: String) throws -> Int64 {
    var information = stat()
    try #require(stat(music.file(name).path, &information) == 0)
    return Int64(information.st_mtim.tv_sec) * 1_000_000_000 + Int64(information.st_mtim.tv_nsec)
  }

  @Test(arguments: [true, false])
  func `known files that a rule leaves out are counted, found by a query, and forgotten on request`(
    byFile: Bool
  ) async throws {
    #expect(try await scan().excluded == 0)
    if byFile { try music.write(Array("one/\n".utf8), to: ".deadwaxignore") }
    let option = byFile ? [] : ["--exclude", "one/"]
    let outcome = try await deadwax.run(["scan", music.path] + option)
    #expect(outcome.text.contains("2 known files are excluded now"), "\(outcome)")
    let report = try await deadwax.run(["scan", "--json", music.path] + option).document(Report.self)
    #expect(report.excluded == 2 && report.found == 1 && report.missing == 0)
    #expect(try await names("is:excluded") == ["a.wav", "b.wav"])
    #expect(try await names("state:ok") == ["a.wav", "b.wav", "c.wav"])
    #expect(try await deadwax.run(["prune", "--json"]).document(Pruned.self).files == 0)
    let pruned = try await deadwax.run(["prune", "--json", "--excluded"]).document(Pruned.self)
    #expect(pruned.files == 2 && pruned.paths.allSatisfy { $0.cause == "excluded" })
    #expect(try await names("is:excluded").count == 2)
    #expect(try await deadwax.run(["prune", "--yes", "--excluded"]).status == 0)
    #expect(try await names("") == ["c.wav"])
  }

  @Test func `a file that is reached again is not excluded any more, and keeps its other notes`() async throws {
    try FileManager.default.createSymbolicLink(
      at: music.file("link"), withDestinationURL: URL(filePath: try Self.folder(with: sample, in: deadwax.home.url)))
    #expect(try await scan("--follow-links").found == 4)
    #expect(try await scan().excluded == 1)
    #expect(try await names("is:excluded") == ["far.mp3"])
    let note = try await deadwax.run(["ls", "--format", "paths", "notes:extension-mismatch"]).text
    #expect(note.hasSuffix("far.mp3\n"))
    let again = try await scan("--follow-links")
    #expect(again.excluded == 0 && again.unchanged == 4)
    #expect(try await names("is:excluded").isEmpty)
    #expect(try await names("notes:extension-mismatch") == ["far.mp3"])
  }

  /// A folder beside the music with a sound whose name is wrong.
  private static func folder(with sample: Data, in home: URL) throws -> String {
    let folder = home.appending(path: "far")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try (sample.dropLast() + [77]).write(to: folder.appending(path: "far.mp3"))
    return folder.path
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a folder that cannot be read is a problem until it can be read`() async throws {
    _ = try await scan()
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      [
        "-o", "/dev/null", "-P", music.file("one").path, "-e", "trace=getdents64", "-e",
        "inject=getdents64:error=EACCES", DeadwaxCommand.executable.path, "scan", "--json", music.path,
      ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(Report.self).excluded == 0)
    let problem = try #require(try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self).first)
    #expect(problem.state == "unreadable" && problem.path == music.file("one").path)
    #expect(problem.reason?.contains("a folder that cannot be read") == true)
    #expect(try await scan().unchanged == 3)
    #expect(try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self).isEmpty)
  }

  @Test(arguments: [["roots", "add"], ["scan", "--json"]])
  func `a folder above a root takes it over, and its files keep their rows`(command: [String]) async throws {
    #expect(try await deadwax.run(["scan", music.file("one").path]).status == 0)
    let list = ["ls", "--format", "jsonl", "--fields", "id,added,title,path", "path:one/"]
    let before = try await deadwax.run(list).text
    let refused = try await deadwax.run(command + [music.path])
    #expect(refused.status == 64 && refused.errorText.contains("--take-over"), "\(refused)")
    let outcome = try await deadwax.run(command + [music.path, "--take-over"])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await deadwax.run(["roots"]).text == music.path + "\n")
    #expect(!before.isEmpty)
    #expect(try await deadwax.run(list).text == before)
    let report = try await scan()
    #expect(report.found == 3 && report.missing == 0 && report.unchanged == (command[0] == "scan" ? 3 : 2))
  }
}
