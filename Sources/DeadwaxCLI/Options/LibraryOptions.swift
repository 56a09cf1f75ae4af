internal import ArgumentParser
internal import Base
internal import Glibc
internal import LibraryTracks
internal import MediaRendering
internal import MediaStore
internal import SoundSearch
internal import TagWriting

/// Which library a command works on.
struct LibraryOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: ArgumentHelp(
      "The library (default: $DEADWAX_LIBRARY, else deadwax/library.sqlite in the user's data folder).",
      valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var library: String?

  /// Opens the library; only `.createIfMissing` creates one.
  func open(_ access: MediaStore.Access) throws -> MediaStore {
    let path = try path()
    let sounds = SoundFinders {
      try LibrarySimilarity.recordingIDs(similarTo: $1, in: $0)
    } copies: {
      try LibrarySound.recordingIDs(sameAs: $1, in: $0)
    } redundantFiles: {
      try LibrarySound.redundantFileIDs(in: $0)
    }
    let store = try MediaStore(at: path, access: access, sounds: sounds) { copy in
      let path = TerminalText.escaped(copy.displayString)
      StandardError.line(
        "the library was migrated for this version of Deadwax; a copy from before the migration is \(path)")
    }
    for warning in store.warnings { StandardError.line(TerminalText.escaped("\(path.displayString): \(warning)")) }
    if access != .readOnly { try settleInterruptedWrites(in: store) }
    return store
  }

  /// Finds out what became of files that a killed command was writing.
  private func settleInterruptedWrites(in store: MediaStore) throws {
    for stranger in try InterruptedWrites.settle(in: store) {
      let leftover = stranger.leftover.map { "; next to it is \($0.lastComponent.displayString)" } ?? ""
      StandardError.line(
        TerminalText.escaped(
          "\(stranger.path.displayString): was being written when the command was killed, and "
            + (stranger.isGone ? "is gone\(leftover)" : "has changed since; it is left unchanged\(leftover)")))
    }
  }

  /// The library; if there is none, an empty temporary one, because a dry run creates nothing.
  func openForDryRun(_ access: MediaStore.Access) throws -> MediaStore {
    do {
      return try open(access)
    } catch StoreError.missingLibrary {
      return try .temporary()
    }
  }

  /// `--library`, else `$DEADWAX_LIBRARY`, else the path of the XDG base directory specification.
  func path() throws -> BytePath {
    if let library {
      guard !library.isEmpty else { throw ValidationError("--library needs a path") }
      return BytePath(argument: library)
    }
    if let path = Self.environment("DEADWAX_LIBRARY") { return path }
    let place = BytePath("deadwax/library.sqlite")
    // The specification says to ignore a relative XDG_DATA_HOME.
    if let data = Self.environment("XDG_DATA_HOME"), data.bytes.first == UInt8(ascii: "/") {
      return data.appending(place)
    }
    if let home = Self.homeFolder() {
      return home.appending(BytePath(".local/share")).appending(place)
    }
    throw ValidationError("there is no home folder; name a library with --library or $DEADWAX_LIBRARY")
  }

  /// nil if it is unset or empty.
  static func environment(_ name: String) -> BytePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return BytePath(bytes(of: value))
  }

  /// `$HOME`, else what the system knows of the user.
  static func homeFolder() -> BytePath? { environment("HOME") ?? homeOfUser() }

  private static func homeOfUser() -> BytePath? {
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir, home.pointee != 0 else { return nil }
    return BytePath(bytes(of: home))
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}

extension LibraryOptions {
  /// Calls `body` with the library for reading, and closes it whatever happens.
  func reading<Value>(_ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(.readOnly)
    // After reading, an error of closing cannot change the result.
    defer { try? store.close() }
    return try body(store)
  }

  /// Calls `body` with the library for writing, and closes it.
  ///
  /// - Throws: Errors of closing, too, because closing writes.
  func writing<Value>(_ access: MediaStore.Access = .readWrite, _ body: (MediaStore) throws -> Value) throws -> Value {
    let store = try open(access)
    let value = try body(store)
    try store.close()
    return value
  }
}

extension LibraryOptions {
  /// The files that must not be overwritten: the library, and those of `outputs` that are files of the library, or covers beside
  /// them.
  ///
  /// - Throws: ``OutputError/wouldReplaceInput(path:)`` if an output has the name of a file that SQLite keeps beside
  ///   the library at times.
  func protectedFiles(among outputs: [BytePath]) throws -> [BytePath] {
    let library = try path()
    // Also the targets of symbolic links.
    let outputs = outputs + outputs.map { OutputFile($0).target }
    if let file = outputs.first(where: { ShardRegister.isCompanion($0, ofLibraryAt: library) }) {
      throw OutputError.wouldReplaceInput(path: file.displayString)
    }
    // Without a readable library no output is known as a file of it.
    let fileIDs = outputs.isEmpty ? nil : try? reading { try $0.files.ids(at: outputs) }
    let pictures = outputs.isEmpty ? nil : try? reading { try $0.pictures.known(at: outputs) }
    return [library] + zip(outputs, fileIDs ?? []).filter { $0.1 != nil }.map(\.0) + (pictures ?? [])
  }

  /// The same for one output as it was typed; nil and `-` protect only the library.
  func protectedFiles(for output: String?) throws -> [BytePath] {
    try protectedFiles(among: output.map { $0 == "-" ? [] : [BytePath(argument: $0)] } ?? [])
  }
}
