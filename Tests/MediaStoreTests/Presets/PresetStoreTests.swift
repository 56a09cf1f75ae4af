import Base
import Foundation
import GRDB
import MediaModel
import MediaStore
import Testing
import UserData

/// Presets by name: what can be done to them, and what cannot.
struct PresetStoreTests {
  static func preset(_ name: String, gain: Double = -3) throws -> Preset {
    let band = try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9))
    let equalizer = try Equalizer(bands: [band], gain: gain)
    return Preset(name: try PresetName(name), chain: try EffectChain(equalizer: equalizer))
  }

  @Test func `a preset is kept as it was made`() throws {
    let library = try TemporaryLibrary()
    let preset = try Self.preset("Warm")
    try library.store.presets.create(preset)
    #expect(try library.store.presets.preset(named: " wARM ").preset() == preset)
    #expect(try library.store.settings()[1] == "2", "synchronous is FULL")
  }

  @Test func `those of the program are listed, but stay as they are`() throws {
    let library = try TemporaryLibrary()
    #expect(try library.store.presets.all().count == Preset.builtIn.count)
    #expect(try library.store.presets.preset(named: "flat").isBuiltIn)
    #expect(throws: StoreError.builtInPreset("Flat")) { try library.store.presets.delete(named: "FLAT") }
    #expect(throws: StoreError.builtInPreset("Flat")) { try library.store.presets.edit(named: "flat") { $0 } }
    #expect(throws: StoreError.presetExists("Flat", isBuiltIn: true)) {
      try library.store.presets.create(try Self.preset("flat"))
    }
    try library.store.presets.copy(named: "bass", to: try PresetName("My bass"))
    let copy = try library.store.presets.preset(named: "my bass")
    #expect(try !copy.isBuiltIn && copy.preset().chain == library.store.presets.preset(named: "Bass").preset().chain)
  }

  // Faults: 139
  @Test(arguments: [("Café", "cafe\u{301}"), ("ÅNGSTRÖM", "a\u{30A}ngstro\u{308}m"), ("Warm", "WARM")])
  func `names that differ in case or composition only are one`(first: String, second: String) throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try Self.preset(first))
    #expect(throws: StoreError.presetExists(second, isBuiltIn: false)) {
      try library.store.presets.create(try Self.preset(second))
    }
    #expect(try library.store.presets.preset(named: second).name.text == first)
  }

  // Faults: 139
  @Test func `a name is no path, and no query`() throws {
    let library = try TemporaryLibrary()
    for name in ["../x", "/etc/passwd", "🎵", "'; DROP TABLE preset; --", "%", "*"] {
      try library.store.presets.create(try Self.preset(name))
      #expect(try library.store.presets.preset(named: name).name.text == name)
    }
    #expect(throws: StoreError.presetExists("none", isBuiltIn: true)) {
      try library.store.presets.create(try Self.preset("none"))
    }
    #expect(throws: StoreError.noSuchPreset("worm", near: [])) { try library.store.presets.preset(named: "worm") }
    #expect(throws: StoreError.noSuchPreset("treblle", near: ["Treble"])) {
      try library.store.presets.preset(named: "treblle")
    }
  }

  @Test func `renaming keeps the id and refuses a name that is taken`() throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try Self.preset("Warm"))
    try library.store.presets.create(try Self.preset("Cold"))
    #expect(throws: StoreError.presetExists("cold", isBuiltIn: false)) {
      try library.store.presets.rename(named: "warm", to: try PresetName("cold"))
    }
    try library.store.presets.rename(named: "warm", to: try PresetName("WARM"))
    #expect(
      try library.store.presets.all().map(\.name.text).filter { ["WARM", "Warm", "Cold"].contains($0) }.count == 2)
    #expect(try library.store.presets.preset(named: "Warm").preset().name.text == "WARM")
  }

  @Test func `an edit that fails changes nothing and is not in the journal`() throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try Self.preset("Warm"))
    #expect(throws: PresetError("no")) {
      try library.store.presets.edit(named: "Warm") { _ in throw PresetError("no") }
    }
    let edited = try library.store.presets.edit(named: "Warm") { chain in
      try EffectChain(equalizer: chain.equalizer, pitch: 100)
    }
    #expect(try library.store.presets.preset(named: "warm").preset() == edited)
    #expect(try library.store.journal.changes().map(\.summary) == ["edit Warm", "create Warm"])
  }

  // Faults: 138
  @Test func `what a newer version wrote is kept, listed, copied and not changed`() throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try Self.preset("Warm"))
    let future = #"{"schema":9,"name":"Warm","waves":[1]}"#
    try library.execute("UPDATE preset SET document = '\(future)'")
    #expect(try library.store.presets.all().contains { $0.name.text == "Warm" })
    #expect(throws: StoreError.self) { try library.store.presets.preset(named: "Warm").preset() }
    #expect(throws: StoreError.self) { try library.store.presets.edit(named: "Warm") { $0 } }
    try library.store.presets.copy(named: "Warm", to: try PresetName("Copy"))
    try library.store.presets.rename(named: "Warm", to: try PresetName("Other"))
    #expect(try library.value("SELECT count(*) FROM preset WHERE document = '\(future)'", as: Int.self) == 2)
  }

  // Faults: 93
  @Test func `two editors of one preset lose nothing of each other's`() throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try Self.preset("Warm"))
    let path = library.path
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      do {
        let store = try MediaStore(at: path, access: .readWrite)
        for _ in 0..<20 {
          _ = try store.presets.edit(named: "Warm") { chain in
            try EffectChain(equalizer: chain.equalizer, pitch: chain.pitch + 1)
          }
        }
        try store.close()
      } catch {
        Issue.record(error)
      }
    }
    #expect(try library.store.presets.preset(named: "Warm").preset().chain.pitch == 40)
    #expect(try library.store.journal.changes().count == 41)
  }

  @Test func `several presets are kept in one change, or none of them`() throws {
    let library = try TemporaryLibrary()
    let names = ["A", "B", "C"]
    try library.store.presets.importAll(try names.map { try Self.preset($0) }, replacing: false)
    #expect(throws: StoreError.presetExists("B", isBuiltIn: false)) {
      try library.store.presets.importAll([try Self.preset("D"), try Self.preset("B")], replacing: false)
    }
    #expect(try library.store.presets.all().filter { !$0.isBuiltIn }.map(\.name.text) == names)
    try library.store.presets.importAll([try Self.preset("D"), try Self.preset("b", gain: -9)], replacing: true)
    #expect(try library.store.presets.preset(named: "B").preset().chain.equalizer.gain == -9)
    #expect(try library.store.journal.undo().summary == "import 2 presets")
    #expect(try library.store.presets.preset(named: "B").preset().chain.equalizer.gain == -3)
    #expect(try library.store.presets.all().filter { !$0.isBuiltIn }.map(\.name.text) == names)
  }

  // Faults: 138
  @Test func `a hundred thousand presets are listed and found`() throws {
    let library = try TemporaryLibrary()
    let document = try Self.preset("x").document.text
    try library.execute(
      """
      INSERT INTO preset (name_key, name, document, created_at, changed_at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
      SELECT 'p' || i, 'P' || i, '\(document)', 0, 0 FROM n
      """)
    #expect(try library.store.presets.all().count == 100_000 + Preset.builtIn.count)
    #expect(try library.store.presets.preset(named: "p99999").name.text == "P99999")
  }
}
