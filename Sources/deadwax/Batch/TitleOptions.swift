internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// What a picture says of its track.
struct TitleOptions: ParsableArguments {
  @Option(
    name: .customLong("title"),
    help: ArgumentHelp(
      "Text on the picture, in any script: fields of `ls` in braces, such as '{artist} - {title}' (none).",
      valueName: "template"))
  var title: String?

  func validate() throws {
    do throws(ExportError) {
      _ = try template
    } catch {
      throw ValidationError("--title: \(error)")
    }
  }

  private var template: FieldTemplate? {
    get throws(ExportError) {
      guard let title else { return nil }
      return try FieldTemplate(title)
    }
  }

  /// The text for a track; empty where none was asked for.
  func text(for track: TrackReference, in store: MediaStore) throws -> String {
    guard let template = try template else { return "" }
    let words = try TemplateValues(template, option: "title", vocabulary: store.vocabulary)
    var text: String?
    try store.forEachRow(
      of: try store.query("id:=\(track.recordingID)"), fields: [QueryField("path", .path)] + words.fields
    ) { values in
      // Of the file that was named or found, where there are several.
      guard case .path(let path) = values[0], text == nil || path == track.files.first else { return }
      text = template.text(values: words.words(values[1...], path: path))
    }
    return text ?? ""
  }

  /// The text where there is no track.
  func textWithoutTrack() throws -> String {
    guard let template = try template else { return "" }
    guard template.fields.isEmpty else {
      throw ValidationError("--title: a file of peaks has no \(template.fields.joined(separator: ", "))")
    }
    return template.text(values: [])
  }
}
