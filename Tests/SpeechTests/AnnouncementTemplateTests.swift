import Base
import MediaModel
import Speech
import Testing

struct AnnouncementTemplateTests {
  private func tags(_ values: [String: String]) -> Tags {
    Tags(values.map { Tags.Property(name: $0.key, values: [$0.value]) })
  }

  private func runs(
    _ values: [String: String], _ template: String = AnnouncementTemplate.usual, language: String = "en"
  ) throws -> [String] {
    try AnnouncementTemplate(template).runs(for: tags(values), language: language).map { "\($0.voice): \($0.text)" }
  }

  @Test(
    arguments: [
      (["TITLE": "Lacquer", "ARTIST": "Lathe & Lantern"], ["en: Lacquer by Lathe & Lantern"]),
      (["TITLE": "Nachtfahrt", "ARTIST": "Émilie", "LANGUAGE": "deu"], ["de: Nachtfahrt", "en: by", "de: Émilie"]),
      (["TITLE": "Подмосковные вечера", "ARTIST": "Трошин"], ["ru: Подмосковные вечера", "en: by", "ru: Трошин"]),
      (["TITLE": "Ой у лузі", "ARTIST": "Boombox", "LANGUAGE": "ukr"], ["uk: Ой у лузі", "en: by Boombox"]),
      (["TITLE": "Τα παιδιά", "ARTIST": "Nana 3"], ["el: Τα παιδιά", "en: by Nana 3"]),
      (["TITLE": "صدى البحر", "ARTIST": "فيروز"], ["ar: صدى البحر", "en: by", "ar: فيروز"]),
      (["TITLE": "강남스타일", "ARTIST": "PSY"], ["ko: 강남스타일", "en: by PSY"]),
      (["TITLE": "लग जा गले", "ARTIST": "लता"], ["hi: लग जा गले", "en: by", "hi: लता"]),
      (["TITLE": "さくら", "ARTIST": "夜の配線", "ARTISTSORT": "よるのはいせん"], ["ja: さくら", "en: by", "ja: よるのはいせん"]),
      (["TITLE": "夜の配線", "ARTIST": "星屑電機"], ["en: by"]),
    ] as [([String: String], [String])])
  func `each run has the voice of its script and language`(values: [String: String], expected: [String]) throws {
    #expect(try runs(values) == expected)
  }

  @Test(
    arguments: [
      (["TITLE": "שלום"], ["he: שלום"]), (["TITLE": "สวัสดี 2"], ["th: สวัสดี 2"]),
      (["TITLE": "99 Luftballons"], ["en: 99 Luftballons"]), (["TITLE": "1979"], ["en: 1979"]),
      (["TITLE": "夜 Night Drive"], ["en: Night Drive"]), (["TITLE": "夜"], []), (["TITLE": "…!"], []), ([:], []),
    ] as [([String: String], [String])])
  func `a text before an empty field is not said`(values: [String: String], expected: [String]) throws {
    #expect(try runs(values) == expected)
  }

  @Test func `the tracks around it can be named`() throws {
    let template = try AnnouncementTemplate("That was {previous}. Now {title}. Then {next}")
    let (before, now, after) = (tags(["TITLE": "One"]), tags(["TITLE": "Two"]), tags(["TITLE": "Три"]))
    let runs = template.runs(for: now, previous: before, next: after, language: "en")
    #expect(runs == [SpokenRun(text: "That was One. Now Two. Then", voice: "en"), SpokenRun(text: "Три", voice: "ru")])
    #expect(template.runs(for: now, language: "en") == [SpokenRun(text: ". Now Two", voice: "en")])
  }

  @Test func `what is too long, or would be taken for phonemes or commands, is made harmless`() throws {
    let long = try runs(["TITLE": String(repeating: "very long ", count: 100)])
    #expect(try #require(long.first).count <= 304 && long.first?.hasSuffix("long") == true)
    #expect(try runs(["TITLE": "a\u{1B}[31m[[b]]\u{0}c"]) == ["en: a [31m[ [b]] c"])
  }

  @Test(arguments: [
    ("deu", "de"), ("ger", "de"), ("German", "de"), ("pt_BR.UTF-8", "pt"), ("nob", "nb"), ("en-US", "en"),
  ])
  func `languages of tags and locales are known`(text: String, code: String) {
    #expect(LanguageCode.code(of: text) == code)
  }

  @Test(arguments: ["C", "POSIX", "", "Klingon"])
  func `other words are no language`(text: String) { #expect(LanguageCode.code(of: text) == nil) }

  @Test func `a template with unbalanced braces is refused`() {
    #expect(throws: TemplateError.self) { try AnnouncementTemplate("{title") }
  }
}
