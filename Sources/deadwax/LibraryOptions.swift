internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import MediaModel
internal import MediaStore

/// Which library a command works on.
struct LibraryOptions: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long],
    help: ArgumentHelp(
      "The library (default: $DEADWAX_LIBRARY, else deadwax/library.sqlite in the user's data folder).",
      valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var library: String?

  /// Opens the library; only a command that writes makes one where there is none.
  func open(_ access: MediaStore.Access) throws -> MediaStore {
    try MediaStore(at: try path(), access: access) { copy in
      let path = TerminalText.escaped(copy.displayString)
      StandardError.line(
        "the library was brought up to date for this version of Deadwax; as it was it is kept as \(path)")
    }
  }

  /// The library, or where there is none yet an empty one, which is gone when it is closed: a dry run makes none.
  func openForDryRun(_ access: MediaStore.Access) throws -> MediaStore {
    do {
      return try open(access)
    } catch StoreError.missingLibrary {
      let folder = FileManager.default.temporaryDirectory.appending(path: "deadwax-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      // The open file outlives its name.
      return try MediaStore(at: BytePath(folder.path).appending(BytePath("library.sqlite")), access: .createIfMissing)
    }
  }

  /// `--library`, else `$DEADWAX_LIBRARY`, else the place that the XDG base directory specification names.
  func path() throws -> BytePath {
    if let library {
      guard !library.isEmpty else { throw ValidationError("--library needs a path") }
      return BytePath(argument: library)
    }
    if let path = Self.environment("DEADWAX_LIBRARY") { return path }
    let place = BytePath("deadwax/library.sqlite")
    // A relative XDG_DATA_HOME is to be ignored.
    if let data = Self.environment("XDG_DATA_HOME"), data.bytes.first == UInt8(ascii: "/") {
      return data.appending(place)
    }
    if let home = Self.environment("HOME") ?? Self.homeOfUser() {
      return home.appending(BytePath(".local/share")).appending(place)
    }
    throw ValidationError("There is no home folder to keep a library in; name one with --library or $DEADWAX_LIBRARY")
  }

  /// Unset and empty are the same.
  private static func environment(_ name: String) -> BytePath? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return BytePath(bytes(of: value))
  }

  private static func homeOfUser() -> BytePath? {
    guard let user = getpwuid(getuid()), let home = user.pointee.pw_dir, home.pointee != 0 else { return nil }
    return BytePath(bytes(of: home))
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
  }
}
