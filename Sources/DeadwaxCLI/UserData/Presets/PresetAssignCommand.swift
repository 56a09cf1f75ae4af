internal import ArgumentParser
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

struct PresetAssignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assign",
    abstract: "Assign a preset to tracks, to their albums or artists, or to the library.",
    discussion: """
      Replaces earlier assignments. Numbers are track ids, and paths are files; all other words form one query. 17#3 \
      is the third part (chapter, or track of a CUE sheet) of track 17. The preset of a part takes precedence over \
      that of its track. With --user it applies only to that person's players (`serve user`). \(QueryHelp.short)

      Examples: deadwax preset assign Warm 'artist:nora year:..1975'
                deadwax preset assign Voice --album 'genre:audiobook'
                deadwax preset assign Flat --default
                deadwax preset assign Voice 17#3 17#4
                deadwax preset assign Headphones --default --user ana
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  @OptionGroup var target: PresetTargetOptions
  @OptionGroup var person: PresetPersonOptions

  func run() throws {
    let (preset, text, total, count) = try library.writing { store in
      let preset = try store.presets.preset(named: name)
      let subjects = try target.subjects(in: store)
      let listener = try person.listener(in: store)
      let count = try store.presets.assign(named: preset.name.text, to: subjects, for: listener)
      return (preset, try PresetTargetOptions.text(subjects, in: store), subjects.count, count)
    }
    let rest = count == total ? "" : " (\(total - count) had it already)"
    try output.tell("\(preset.name) assigned to \(text)\(person.suffix)\(rest)")
  }
}

struct PresetUnassignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unassign",
    abstract: "Remove the preset of tracks, albums, artists or the library.",
    discussion: """
      Removes only their own assignments, not inherited ones. To play tracks without any preset, use `preset off`. \
      \(QueryHelp.short)
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: PresetTargetOptions
  @OptionGroup var person: PresetPersonOptions

  func run() throws {
    let (text, count) = try library.writing { store in
      let subjects = try target.subjects(in: store)
      let count = try store.presets.unassign(of: subjects, for: person.listener(in: store))
      return (try PresetTargetOptions.text(subjects, in: store), count)
    }
    try output.tell("unassigned \(count) of \(text)\(person.suffix)")
  }
}

struct PresetOnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "on", abstract: "Switch presets on again.", discussion: QueryHelp.short)

  @OptionGroup var options: PresetSwitchOptions

  func run() throws { try options.run(on: true) }
}

struct PresetOffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "off",
    abstract: "Play tracks, albums, artists or the library without presets; their assignments are kept.",
    discussion: "`preset off --default` switches all presets of the library off. \(QueryHelp.short)")

  @OptionGroup var options: PresetSwitchOptions

  func run() throws { try options.run(on: false) }
}

/// `deadwax preset on` and `deadwax preset off`.
struct PresetSwitchOptions: ParsableArguments {
  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var target: PresetTargetOptions
  @OptionGroup var person: PresetPersonOptions

  func run(on isOn: Bool) throws {
    let (text, total, count) = try library.writing { store in
      let subjects = try target.subjects(in: store)
      let count = try store.presets.turn(on: isOn, for: subjects, heardBy: person.listener(in: store))
      return (try PresetTargetOptions.text(subjects, in: store), subjects.count, count)
    }
    let rest = count == total ? "" : " (\(total - count) already were)"
    try output.tell("switched \(isOn ? "on" : "off"): \(text)\(person.suffix)\(rest)")
  }
}

/// For whom a command about assignments is.
struct PresetPersonOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Only for this person of `serve user`, preferred to presets for everyone.", valueName: "name"))
  var user: String?

  /// For messages.
  var suffix: String { user.map { " for \($0)" } ?? "" }

  /// - Throws: `ValidationError` if neither the passwords of the server nor the library know the person.
  func listener(in store: MediaStore) throws -> Listener {
    guard let user else { return .owner }
    if let account = try StateFolder.accounts(makingFolder: false).accounts().all.first(where: { $0.user == user }) {
      return account.listener
    }
    guard let known = try store.people.listener(named: user) else {
      throw ValidationError("there is no user '\(user)'; `deadwax serve user add` adds one")
    }
    return known
  }
}

/// The tracks, albums or artists of a command about assignments.
struct PresetTargetOptions: ParsableArguments {
  enum Scope: String, EnumerableFlag {
    case album, artist, `default`

    static func help(for value: Scope) -> ArgumentHelp? {
      switch value {
      case .album: "The albums of the tracks that the query finds, including tracks that are added later."
      case .artist: "The artists of the tracks that the query finds."
      case .default: "The whole library: the default for tracks without another assignment."
      }
    }
  }

  @Flag(exclusivity: .exclusive)
  var scope: Scope?

  @Flag(help: "All tracks of the library.")
  var all = false

  @Argument(
    help: ArgumentHelp("The tracks: ids, paths of files, or a query.", valueName: "query"))
  var words: [String] = []

  func validate() throws {
    let hasWords = words.contains { !$0.isEmpty }
    if scope == .default || all, hasWords { throw ValidationError("--default and --all take no query") }
    if scope == .default, all { throw ValidationError("--default and --all exclude each other") }
    if scope != .default, !all, !hasWords {
      throw ValidationError("name the tracks with ids, paths or a query, or use --all or --default")
    }
  }

  /// - Throws: `TrackError` if nothing is found that can have a preset.
  func subjects(in store: MediaStore) throws -> [PresetSubject] {
    let scope: PresetScope =
      switch self.scope {
      case .album: .album
      case .artist: .artist
      case .default: .library
      case nil: .track
      }
    if scope == .track, let parts = try store.presets.partSubjects(naming: words) { return parts }
    let query = try store.tracks.query(naming: words)
    let subjects = try store.presets.subjects(scope, of: query)
    guard subjects.isEmpty, !all else { return subjects }
    let hasTracks = try scope != .track && !store.presets.subjects(.track, of: query).isEmpty
    throw hasTracks
      ? TrackError.untagged(words.joined(separator: " "), field: scope.rawValue) : .nothing(named: words)
  }

  /// `3 tracks`, or what a single one is called now.
  static func text(_ subjects: [PresetSubject], in store: MediaStore) throws -> String {
    guard let first = subjects.first else { return "nothing" }
    guard subjects.count > 1 else { return try store.presets.shown(subjects).map(\.description).joined() }
    return NumberText.count(subjects.count, first.scope.rawValue)
  }
}
