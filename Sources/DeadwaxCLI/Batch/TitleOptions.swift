internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaDrawing
internal import MediaStore
internal import QueryLanguage
internal import Synchronization

/// The text on the picture of a track.
struct TitleOptions: ParsableArguments {
  @Option(
    name: .customLong("title"),
    help: ArgumentHelp(
      "The text on the picture, in any script: fields of `ls` in braces, such as '{artist} - {title}' (default: none).",
      valueName: "template"))
  var title: String?

  func validate() throws {
    do throws(TemplateError) {
      _ = try template
    } catch {
      throw ValidationError("--title: \(error)")
    }
  }

  private var template: FieldTemplate? {
    get throws(TemplateError) {
      guard let title else { return nil }
      return try FieldTemplate(title)
    }
  }

  /// The text for a track; empty without --title. `picture` is nil if nothing is drawn.
  func text(for track: TrackReference, in store: MediaStore, on picture: PictureFormat?) throws -> String {
    guard let template = try template else { return "" }
    let words = try TemplateValues(template, option: "title", vocabulary: store.vocabulary)
    var text: String?
    try store.forEachRow(
      of: try store.query("id:=\(track.recordingID)"), fields: [QueryField("path", .path)] + words.fields
    ) { values in
      // If there are several files, the one that was named or found.
      guard case .path(let path) = values[0], text == nil || path == track.files.first else { return }
      text = template.text(values: words.words(values[1...], path: path))
    }
    if picture != nil, let text { MissingCharacters.tell(of: text) }
    return text ?? ""
  }

  /// The text if there is no track.
  func textWithoutTrack(on picture: PictureFormat?) throws -> String {
    guard let template = try template else { return "" }
    guard template.fields.isEmpty else {
      throw ValidationError("--title: a file of peaks has no \(template.fields.joined(separator: ", "))")
    }
    let text = template.text(values: [])
    if picture != nil { MissingCharacters.tell(of: text) }
    return text
  }
}

/// Says which characters of titles become boxes.
enum MissingCharacters {
  private static let told = Mutex<Set<Character>>([])

  /// Names each character on standard error once, however many pictures are drawn.
  static func tell(of title: String) {
    let missing = TitleText.charactersWithoutFont(in: title)
    let new = told.withLock { told in missing.filter { told.insert($0).inserted } }
    guard !new.isEmpty else { return }
    StandardError.line(
      TerminalText.escaped("no installed font has \(String(new.prefix(20))): drawn as boxes"))
  }
}

/// The fields of a template, and their values for a track.
struct TemplateValues: Sendable {
  private let template: FieldTemplate
  /// For each field of the template those to read, of which the first that has a value counts; none for `{stem}`, the
  /// name of the audio file without its extension.
  private let named: [[QueryField]]

  /// - Parameter option: the option with the template, for the message about an unknown field.
  init(_ template: FieldTemplate, option: String, vocabulary: QueryVocabulary) throws {
    self.template = template
    named = try template.fields.map { name in
      let names = name == "stem" ? [] : name == "albumartist" ? [name, "artist"] : [name]
      return try names.map { try FieldList.field($0, vocabulary, option: "--" + option) }
    }
  }

  /// The fields that must be read.
  var fields: [QueryField] { named.flatMap { $0 } }

  /// One text for each field of the template.
  ///
  /// - Parameter values: the values of ``fields``.
  func words(_ values: some Collection<FieldValue>, path: BytePath) -> [String] {
    var rest = values[...]
    return zip(template.fields, named).map { name, fields in
      let texts = fields.map { rest.popFirst()?.readable($0) ?? "" }
      return texts.first { !$0.isEmpty } ?? Self.substitute(for: name, path)
    }
  }

  /// A missing title becomes the name of the audio file without its extension, a missing track number 0, any other
  /// missing value `Unknown`.
  private static func substitute(for name: String, _ path: BytePath) -> String {
    switch name {
    case "stem", "title": path.stem.displayString
    case "track": "0"
    default: "Unknown"
    }
  }
}
