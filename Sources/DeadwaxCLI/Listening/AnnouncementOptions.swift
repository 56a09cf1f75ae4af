internal import ArgumentParser
internal import Base
internal import Glibc
internal import MediaRendering
internal import Speech

/// What is said before a track, and in which language if its script does not say it.
struct AnnouncementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The text to speak: tags in braces, and {previous} and {next} for the titles of the adjacent tracks. Text \
      before a missing tag is left out. (default: '\(AnnouncementTemplate.usual)')
      """, valueName: "template"))
  var text: String?

  @Option(
    help: ArgumentHelp(
      """
      Language of text in Latin and other scripts that many languages share, such as de; the LANGUAGE tag of a file \
      takes precedence. (default: that of the locale)
      """, valueName: "code"))
  var language: String?

  var isGiven: Bool { text != nil || language != nil }

  func validate() throws {
    do throws(TemplateError) {
      _ = try template
    } catch {
      throw ValidationError("--text: \(error)")
    }
    if let language, LanguageCode.code(of: language) == nil {
      throw ValidationError("--language: '\(language)' is not a language such as de or deu")
    }
  }

  /// - Throws: `SpeechError/missing` if espeak-ng is not installed.
  func announcer() throws -> Announcer {
    try Announcer(
      template: try template, language: LanguageCode.code(of: language ?? Self.languageOfLocale) ?? "en")
  }

  private var template: AnnouncementTemplate {
    get throws(TemplateError) { try AnnouncementTemplate(text ?? AnnouncementTemplate.usual) }
  }

  private static var languageOfLocale: String {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"]
    let values = names.compactMap { getenv($0).map { String(cString: $0) } }
    return values.first { !$0.isEmpty } ?? "en"
  }
}
