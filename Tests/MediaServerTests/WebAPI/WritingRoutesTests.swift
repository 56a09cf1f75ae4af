import Foundation
import LibraryScanning
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// What the owner's page writes into files: what a plan showed, proven, and taken back byte for byte.
@Suite(.serialized)
struct WritingRoutesTests {
  private let music: MusicFolder
  private let library: ServedLibrary

  init() async throws {
    music = try MusicFolder()
    for (name, fixture) in [
      ("a.flac", "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac"), ("b.mp3", "damaged/clean.mp3"),
      ("c.ogg", "audio/星屑電機/夜の配線/01 真空管.ogg"), ("d.m4a", "formats/Every Connector/01 Barrel.m4a"),
    ] {
      try music.add(fixture: fixture, as: name)
    }
    library = try await ServedLibrary(of: ScannedMusic(music), mayWriteMusic: true)
  }

  private func bytes() throws -> [String: Data] {
    try FileManager.default.contentsOfDirectory(atPath: music.path).reduce(into: [:]) {
      $0[$1] = try Data(contentsOf: music.file($1))
    }
  }

  private func correct(_ genre: String) async throws {
    let answer = try await library.ask(
      "/api/v1/tags", "POST", body: "{\"q\": \"\", \"set\": {\"genre\": [\"\(genre)\"]}}")
    #expect(answer.status == 200, "\(answer.text)")
  }

  private func plan(_ subject: String = "corrections") async throws -> (id: Int, document: [String: Any]) {
    let document = try await library.finishedPlan("{\"q\": \"\", \"write\": \"\(subject)\"}")
    return (try #require(document["id"] as? Int), document)
  }

  private func write(_ id: Int) async throws -> HTTPAnswer {
    try await library.ask("/api/v1/plans/\(id)/write", "POST", body: "{}")
  }

  private func rows(_ document: [String: Any]) -> [[String: Any]] { document["rows"] as? [[String: Any]] ?? [] }

  private func soundProof(of row: [String: Any]) -> (isUnchanged: Bool, before: NSDictionary, after: NSDictionary)? {
    guard let proof = row["proof"] as? [String: Any], let before = proof["before"] as? NSDictionary,
      let after = proof["after"] as? NSDictionary, let isUnchanged = proof["unchanged"] as? Bool
    else { return nil }
    return (isUnchanged, before, after)
  }

  @Test func `a plan is shown, written with its proof, and undone byte for byte`() async throws {
    let start = try bytes()
    try await correct("Dub")
    let (id, shown) = try await plan()
    #expect(shown["state"] as? String == "ready" && shown["changing"] as? Int == 4, "\(shown)")
    #expect(shown["values"] as? Int == 4 && (shown["bytes"] as? Int ?? 0) > 0)
    for row in rows(shown) {
      let changes = try #require(row["changes"] as? [[String: Any]])
      #expect(changes.count == 1 && changes[0]["field"] as? String == "genre")
      #expect(changes[0]["new"] as? [String] == ["Dub"])
    }
    // The first one was tried, beside no file.
    #expect(soundProof(of: try #require(rows(shown).first))?.isUnchanged == true)
    #expect(try bytes() == start)
    #expect(try await write(id).status == 202)
    let written = try await library.finishedPlan(id)
    #expect(written["state"] as? String == "done" && written["written"] as? Int == 4, "\(written)")
    for row in rows(written) {
      let proof = try #require(soundProof(of: row))
      #expect(proof.isUnchanged && proof.before == proof.after && row["written"] as? Bool == true)
      #expect((proof.before["hash"] as? String)?.count == 32 && (proof.before["bytes"] as? Int ?? 0) > 0)
    }
    let files = try bytes()
    #expect(files.keys == start.keys && files.allSatisfy { $0.value != start[$0.key] })
    // As a library sees it that knows of no correction.
    let other = try DeadwaxCommand()
    try await other.must(["scan", "-q", music.path])
    #expect(try await other.must(["ls", "--format", "paths", "genre:=Dub"]).text.split(separator: "\n").count == 4)
    let again = try await write(id)
    #expect(again.status == 409, "\(again.text)")
    // The library alone would otherwise forget what the files say by now.
    #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 409)
    let changes = try await library.ask("/api/v1/file-changes").document["changes"] as? [[String: Any]] ?? []
    #expect(changes.count == 1 && changes[0]["files_undoable"] as? Int == 4)
    let change = try #require(written["change"] as? Int)
    #expect(changes[0]["id"] as? Int == change && changes[0]["summary"] as? String == "write tags of 4 files")
    let undo = try await library.ask("/api/v1/file-changes/\(change)/undo", "POST", body: "{}")
    let undone = try await library.finishedPlan(try #require(undo.document["id"] as? Int))
    #expect(undone["state"] as? String == "done" && undone["written"] as? Int == 4, "\(undone)")
    #expect(try bytes() == start)
    #expect(try await library.ask("/api/v1/file-changes/\(change)/undo", "POST", body: "{}").status == 409)
    #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 200)
  }

  @Test func `a plan is refused as soon as something has changed`() async throws {
    let start = try bytes()
    try await correct("Dub")
    // A correction.
    var id = try await plan().id
    try await correct("Folk")
    #expect(try await write(id).status == 409)
    // What has nothing to do with it.
    id = try await plan().id
    let track = try library.track("filename:=a.flac")
    #expect(
      try await library.ask("/api/v1/tracks/\(track)/rating", "PUT", body: "{\"rating\": 80}").status == 200)
    #expect(try await write(id).status == 202)
    #expect(try await library.finishedPlan(id)["written"] as? Int == 4)
    let change = try #require(try await library.finishedPlan(id)["change"] as? Int)
    let undo = try await library.ask("/api/v1/file-changes/\(change)/undo", "POST", body: "{}")
    _ = try await library.finishedPlan(try #require(undo.document["id"] as? Int))
    #expect(try bytes() == start)
    // A file.
    id = try await plan().id
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: music.file("b.mp3").path)
    let refused = try await write(id)
    #expect(refused.status == 409 && refused.text.contains("b.mp3"), "\(refused.text)")
    // A file that is refused in the preview does not keep the others.
    let (next, shown) = try await plan()
    #expect(shown["refused"] as? Int == 1 && shown["changing"] as? Int == 3)
    let row = try #require(rows(shown).first { $0["refusal"] is [String: Any] })
    #expect((row["refusal"] as? [String: Any])?["code"] as? String == "changed")
    // Another one that writes, or a scan.
    try library.server.library.writing { try $0.fileChanges.beginWriting() }
    #expect(try await write(next).status == 409)
    try library.server.library.writing { $0.fileChanges.endWriting() }
    #expect(try bytes() == start)
    #expect(try await write(next).status == 202)
    #expect(try await library.finishedPlan(next)["written"] as? Int == 3)
    #expect(try bytes()["b.mp3"] == start["b.mp3"])
  }

  @Test func `a protected folder stays as it is`() async throws {
    let start = try bytes()
    try await correct("Dub")
    let id = try await plan().id
    try await library.command().must(["roots", "protect", music.path])
    #expect(try await write(id).status == 409)
    let (next, shown) = try await plan()
    #expect(shown["changing"] as? Int == 0 && shown["refused"] as? Int == 4)
    for row in rows(shown) { #expect((row["refusal"] as? [String: Any])?["code"] as? String == "protected") }
    #expect(try await write(next).status == 202)
    #expect(try await library.finishedPlan(next)["written"] as? Int == 0)
    #expect(try bytes() == start)
  }

  @Test func `nobody but the owner plans or writes, and nobody where it is not allowed`() async throws {
    try await correct("Dub")
    let (start, id) = (try bytes(), try await plan().id)
    let person = try library.password("ben", .manage)
    let secret = Data("\(person.user):\(person.password)".utf8).base64EncodedString()
    for headers in [[:], ["Authorization": "Basic \(secret)"], ["Authorization": "Bearer \(person.password)"]] {
      for target in ["plans/\(id)/write", "plans", "file-changes/1/undo"] {
        let answer = try await library.ask(
          "/api/v1/\(target)", "POST", as: .stranger, headers: headers, body: #"{"q": "", "write": "corrections"}"#)
        #expect(answer.status == 401, "\(target)")
      }
      #expect(try await library.ask("/api/v1/plans/\(id)", as: .stranger, headers: headers).status == 401)
      #expect(
        try await library.ask("/api/v1/plans/\(id)", "DELETE", as: .stranger, headers: headers).status == 401)
    }
    for header in [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site")] {
      let answer = try await library.ask(
        "/api/v1/plans/\(id)/write", "POST", headers: [header.0: header.1], body: "{}")
      #expect(answer.status == 403)
    }
    // Whatever is said there, nothing has begun.
    let below = try await library.ask("/rest/plans/\(id)/write", "POST", body: "{}")
    #expect(below.document["id"] == nil && below.status != 202)
    #expect(try await library.ask("/api/v1/status").document["can_write_music"] as? Bool == true)
    let asStranger = try await library.ask("/api/v1/status", as: .stranger).document
    #expect(asStranger["can_write_music"] as? Bool == false)
    #expect(try bytes() == start)
    let other = try await ServedLibrary(of: ScannedMusic(music))
    let refused = try await other.ask("/api/v1/plans", "POST", body: #"{"q": "", "write": "corrections"}"#)
    #expect(refused.status == 403 && refused.text.contains("--may-write-music"))
    #expect(try await other.ask("/api/v1/status").document["can_write_music"] as? Bool == false)
    #expect(try await other.ask("/api/v1/status").document["can_write"] as? Bool == true)
  }

  @Test func `covers are taken out and come back, and a plan is forgotten`() async throws {
    let start = try bytes()
    let (id, shown) = try await plan("no-cover")
    let count = try #require(shown["changing"] as? Int)
    #expect(count > 0)
    #expect(try await write(id).status == 202)
    let written = try await library.finishedPlan(id)
    #expect(written["written"] as? Int == count)
    let change = try #require(written["change"] as? Int)
    let undo = try await library.ask("/api/v1/file-changes/\(change)/undo", "POST", body: "{}")
    _ = try await library.finishedPlan(try #require(undo.document["id"] as? Int))
    #expect(try bytes() == start)
    #expect(try await library.ask("/api/v1/plans/\(id)", "DELETE").status == 204)
    #expect(try await library.ask("/api/v1/plans/\(id)").status == 404)
    // The files have the cover that is shown for them.
    #expect(try await plan("cover").document["changing"] as? Int == 0)
  }
}
