import MediaModel
import Testing

struct CommonTagsTests {
  @Test(
    arguments: [
      ("7", 7, nil), ("3/12", 3, 12), (" 07 / 12 ", 7, 12), ("3/0", 3, nil), ("0/9", nil, 9), ("-1", nil, nil),
      ("\u{0663}", nil, nil), ("1e9", nil, nil), ("0", nil, nil), ("", nil, nil), ("A1", nil, nil), ("9999", 9999, nil),
      ("10000", nil, nil), ("99999999999999999999999", nil, nil), ("3/12/4", nil, nil), ("1.5", nil, nil),
    ] as [(String, Int?, Int?)])
  func `a track number is one or two numbers in range, or nothing`(text: String, number: Int?, total: Int?) {
    let tags = CommonTags(Tags([.init(name: "TRACKNUMBER", values: [text])]))
    #expect(tags.track == number)
    #expect(tags.trackTotal == total)
  }

  @Test(
    arguments: [
      ("2019", 2019, "2019"), ("2019-04", 2019, "2019-04"), ("2019-04-17", 2019, "2019-04-17"),
      ("2019-04-17T20:15:00", 2019, "2019-04-17"), ("2019/04/17", 2019, "2019-04-17"), ("20190417", 2019, "2019-04-17"),
      ("2019-00-00", 2019, "2019"), ("2019-02-30", 2019, "2019-02"), ("2020-02-29", 2020, "2020-02-29"),
      ("0000-99-99", nil, nil), ("19", nil, nil), ("1e9", nil, nil), (" 1999 ", 1999, "1999"), ("-2019", nil, nil),
      ("\u{0662}\u{0660}\u{0661}\u{0669}", nil, nil), ("2019-4-7", 2019, "2019-04-07"), ("201904", 2019, "2019-04"),
    ] as [(String, Int?, String?)])
  func `a date keeps the precision that is possible`(text: String, year: Int?, date: String?) {
    let tags = CommonTags(Tags([.init(name: "DATE", values: [text])]))
    #expect(tags.year == year)
    #expect(tags.date == date)
  }

  @Test func `several values are joined and blank ones left out`() {
    let tags = CommonTags(
      Tags([
        .init(name: "ARTIST", values: ["Nora Vale", " \t", "Harbour Radio "]), .init(name: "TITLE", values: ["", " "]),
        .init(name: "ALBUM_ARTIST", values: ["Various"]),
      ]))
    #expect(tags.artist == "Nora Vale; Harbour Radio")
    #expect(tags.title == nil)
    #expect(tags.albumArtist == "Various")
  }

  @Test func `totals of their own count where the number brings none`() {
    let tags = CommonTags(
      Tags([
        .init(name: "TRACKNUMBER", values: ["3"]), .init(name: "TOTALTRACKS", values: ["12"]),
        .init(name: "DISCNUMBER", values: ["1/2"]), .init(name: "DISCTOTAL", values: ["9"]),
      ]))
    #expect(tags.track == 3 && tags.trackTotal == 12 && tags.disc == 1 && tags.discTotal == 2)
  }

  @Test func `the searched text is folded, a line each`() {
    let tags = CommonTags(Tags([.init(name: "TITLE", values: ["Été\nDeux"]), .init(name: "GENRE", values: ["JAZZ"])]))
    #expect(tags.searchText(fileName: "Ärger.mp3") == "ete deux\njazz\narger.mp3")
  }
}
