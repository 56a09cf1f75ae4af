import Base
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport
import UserData

/// Random sequences of scans, corrections, undos and merges, against a model that keeps nothing but what files and people say.
struct CorrectionSequenceTests {
  /// What files say, and what was corrected, with what the files said then.
  private struct Model {
    struct File: Equatable {
      var sound: UInt64
      var tags: [String: [String]]
    }

    struct Correction: Equatable {
      var values: [String]
      var bases: [[String]]
    }

    var files: [String: File] = [:]
    /// By sound or path, and field.
    var corrections: [String: Correction] = [:]
    /// Before each change that can be undone.
    var undos: [[String: Correction]] = []

    static let fields = ["GENRE", "ALBUM"]

    func key(_ field: String, _ path: String) -> String {
      field == "GENRE" ? "GENRE \(files[path]?.sound ?? 0)" : "ALBUM \(path)"
    }

    func state(_ field: String, _ path: String) -> MediaModel.Correction.State? {
      guard let correction = corrections[key(field, path)], let file = files[path] else { return nil }
      let own = file.tags[field] ?? []
      return own == correction.values ? .satisfied : correction.bases.contains(own) ? .active : .conflict
    }

    func values(_ field: String, _ path: String) -> [String] {
      corrections[key(field, path)]?.values ?? files[path]?.tags[field] ?? []
    }

    func bases(_ field: String, _ path: String) -> [[String]] {
      let paths = files.keys.filter { key(field, $0) == key(field, path) }
      return Array(Set(paths.map { files[$0]?.tags[field] ?? [] }))
    }

    mutating func set(_ field: String, _ values: [String], of path: String) -> Bool {
      let key = key(field, path)
      let bases = bases(field, path)
      let before = corrections
      if bases == [values] {
        guard corrections[key] != nil else { return false }
        corrections[key] = nil
      } else {
        if let known = corrections[key], known.values == values,
          bases.allSatisfy({ $0 == values || known.bases.contains($0) })
        {
          return false
        }
        corrections[key] = Correction(values: values, bases: bases)
      }
      undos.append(before)
      return true
    }

    mutating func resolve(_ field: String, mine: Bool, of path: String) -> Bool {
      guard state(field, path) == .conflict else { return false }
      undos.append(corrections)
      let key = key(field, path)
      let bases = bases(field, path)
      if mine { corrections[key]?.bases = bases } else { corrections[key] = nil }
      return true
    }
  }

  private static let paths = ["a/1.flac", "a/2.flac", "b/1.flac"]
  private static let values: [[String]] = [[], ["Jazz"], ["Pop"], ["Pop", "Jazz"]]

  @Test(arguments: 1...25 as ClosedRange<UInt64>)
  func `whatever happens, what counts is the correction, else the file`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    let library = try TemporaryLibrary()
    let store = library.store
    var model = Model()
    func scan(_ path: String, _ random: inout RepeatableRandom) throws {
      // Two of three files can be copies of one recording.
      let sound = path == "b/1.flac" ? 9 : UInt64.random(in: 1...2, using: &random)
      var tags = ["TITLE": ["Track"]]
      for field in Model.fields { tags[field] = Self.values.randomElement(using: &random)!.nilIfEmpty }
      model.files[path] = Model.File(sound: sound, tags: tags)
      var extraction = Sample.extraction(sound)
      extraction.tags = Sample.tags(tags)
      try store.scans.apply([.extracted(Sample.record(path, extraction))])
    }
    for path in Self.paths { try scan(path, &random) }
    for step in 0..<40 {
      let path = Self.paths.randomElement(using: &random)!
      let name = Model.fields.randomElement(using: &random)!
      let field = try #require(CorrectionField(name))
      let file = try #require(try library.id(of: path))
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4: try scan(path, &random)
      case 4..<7:
        let values = Self.values.randomElement(using: &random)!
        let report = try store.corrections.correct(.set([.init(field: field, values: values)]), ofFiles: [file])
        #expect((report.correctionCount > 0) == model.set(name, values, of: path), "step \(step)")
      case 7:
        let isMine = Bool.random(using: &random)
        let other = Model.fields.first { $0 != name } ?? name
        // Both fields of the file.
        let before = model
        var undos = model.undos
        let changes = [model.resolve(name, mine: isMine, of: path), model.resolve(other, mine: isMine, of: path)]
        if changes.contains(true) { undos.append(before.corrections) }
        model.undos = undos
        let report = try store.corrections.resolve(isMine ? .mine : .files, ofFiles: [file])
        #expect(report.correctionCount == changes.count { $0 }, "step \(step)")
      case 8:
        guard let former = model.undos.popLast() else {
          #expect(throws: StoreError.nothingToUndo) { try store.journal.undo() }
          continue
        }
        model.corrections = former
        _ = try store.journal.undo()
      default:
        // A library that is merged with what came from it is as it was.
        let other = try TemporaryLibrary()
        _ = try other.store.merge([library.path], options: MergeOptions(keepsCopy: false))
        for path in Self.paths {
          let there = try #require(try other.id(of: path))
          #expect(
            try other.store.files.tags(ofFile: there) == store.files.tags(ofFile: #require(try library.id(of: path))))
        }
        let report = try store.merge([other.path], options: MergeOptions(keepsCopy: false))
        #expect(report.libraries[0].conflicts.isEmpty && report.libraries[0].corrections.added == 0, "step \(step)")
      }
      for path in Self.paths {
        let id = try #require(try library.id(of: path))
        let tags = try store.files.tags(ofFile: id)
        let corrected = try store.corrections.files([id]).flatMap(\.fields)
        for name in Model.fields {
          #expect(tags[name] == model.values(name, path), "step \(step): \(name) of \(path)")
          #expect(
            corrected.first { $0.field.name == name }?.state == model.state(name, path),
            "step \(step): \(name) of \(path)")
        }
      }
    }
    #expect(try store.check(isDeep: true).isSound)
    #expect(try library.value("SELECT count(*) FROM correction_due") == 0)
  }

  @Test func `twenty scans that change tags leave what was corrected`() throws {
    let library = try TemporaryLibrary()
    let store = library.store
    let genre = try #require(CorrectionField("genre"))
    func scan(_ value: String) throws {
      try store.scans.apply(
        (1...5).map { number in
          var extraction = Sample.extraction(UInt64(number))
          extraction.tags = Sample.tags(["TITLE": ["T\(number)"], "GENRE": [value], "ALBUM": ["Album \(value)"]])
          return .extracted(Sample.record("\(number).flac", extraction))
        })
    }
    try scan("first")
    let ids = try store.fileIDs(of: .everything)
    _ = try store.corrections.correct(.set([.init(field: genre, values: ["Jazz"])]), ofFiles: Array(ids.prefix(3)))
    for number in 1...20 {
      try scan("scan \(number)")
      for (index, id) in ids.enumerated() {
        let tags = try store.files.tags(ofFile: id)
        #expect(tags["GENRE"] == [index < 3 ? "Jazz" : "scan \(number)"] && tags["ALBUM"] == ["Album scan \(number)"])
      }
      #expect(try store.count(of: store.query("is:conflict")) == 3)
    }
    _ = try store.journal.undo()
    #expect(
      try store.count(of: store.query("genre:=\"scan 20\"")) == 5 && store.count(of: store.query("is:corrected")) == 0)
  }
}

extension [String] {
  fileprivate var nilIfEmpty: [String]? { isEmpty ? nil : self }
}
