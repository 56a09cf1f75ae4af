import MediaModel
import Testing

struct CorrectionFieldTests {
  @Test(arguments: [
    ("year", "DATE", CorrectionField.Scope.file), ("Track", "TRACKNUMBER", .file), ("key", "INITIALKEY", .recording),
    ("genre", "GENRE", .recording), ("ALBUM ARTIST", "ALBUMARTIST", .file), ("composer", "COMPOSER", .recording),
    ("isrc", "ISRC", .recording), ("lyrics", "LYRICS", .recording), ("compilation", "COMPILATION", .file),
    ("movement", "MOVEMENTNAME", .recording), ("my tag", "MY TAG", .recording),
  ])
  func `a name of queries leads to its tag`(name: String, tag: String, scope: CorrectionField.Scope) throws {
    let field = try #require(CorrectionField(name))
    #expect(field.name == tag && field.scope == scope)
    #expect(CorrectionField(field.name) == field && CorrectionField(field.queryName) == field)
  }

  @Test(arguments: ["", " ", "a=b", " genre", "genre ", "größe", "12", "a\nb", String(repeating: "x", count: 101)])
  func `other names are none`(name: String) { #expect(CorrectionField(name) == nil) }

  @Test(arguments: [
    ("genre", "  Post-Rock ", "Post-Rock"), ("track", "07", "7"), ("track", "A3", "A3"), ("date", "2019-04", "2019-04"),
    ("bpm", "128.5", "128.5"), ("key", "Am", "Am"), ("compilation", "Yes", "1"), ("compilation", "0", "0"),
  ])
  func `a value is stored without blank ends`(name: String, text: String, stored: String) throws {
    #expect(try #require(CorrectionField(name)).value(text) == stored)
  }

  @Test(arguments: [
    ("genre", ""), ("genre", "  "), ("track", "3/12"), ("track", "x"), ("track", "0"), ("track", "10000"),
    ("date", "19"), ("date", "2019-13"), ("date", "2019-02-30"), ("date", "17.04.2019"), ("bpm", "fast"), ("key", "H2"),
    ("compilation", "2"), ("title", "a\0b"),
  ])
  func `other values are none, and the message names the field`(name: String, text: String) throws {
    let field = try #require(CorrectionField(name))
    let error = #expect(throws: CorrectionField.InvalidValue.self) { try field.value(text) }
    #expect(error?.description.contains(field.queryName) == true)
  }
}
