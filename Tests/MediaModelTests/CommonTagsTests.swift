import MediaModel
import Testing

struct CommonTagsTests {
  // Faults: 46
  @Test(
    arguments: [
      ("7", 7, nil), ("3/12", 3, 12), (" 07 / 12 ", 7, 12), ("3/0", 3, nil), ("0/9", nil, 9), ("-1", nil, nil),
      ("\u{0663}", nil, nil), ("1e9", nil, nil), ("0", nil, nil), ("", nil, nil), ("A1", 1, nil), ("9999", 9999, nil),
      ("10000", nil, nil), ("99999999999999999999999", nil, nil), ("3/12/4", nil, nil), ("1.5", nil, nil),
      ("3 of 12", 3, 12), ("3 von 12", 3, 12), ("05.", 5, nil), ("(5)", 5, nil), ("#5", 5, nil), ("Track 5", 5, nil),
      ("5th", 5, nil), ("B2", 2, nil), ("B 12", 12, nil), ("b2", 2, nil), ("A", 1, nil), ("Q", nil, nil),
      ("+3", nil, nil), (".5", nil, nil), ("3 or more of 12", nil, nil), ("3-12", nil, nil), ("3of12", 3, 12),
      ("1 2 3", nil, nil), ("of", nil, nil), ("/12", nil, 12), ("?/12", nil, 12), ("/0", nil, nil),
      ("5 out of 12", 5, 12),
      ("5 (of 12)", 5, 12), ("5\\12", 5, 12), ("５／１２", 5, 12), ("No.5", 5, nil), ("Nr. 5", 5, nil), ("A-1", 1, nil),
      ("- 1", 1, nil), ("3e12", nil, nil),
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
      ("20011301", 2001, "2001"), ("20121300", 2012, "2012"), ("20121999", 1999, "1999-12-20"),
      ("2019-00-00", 2019, "2019"), ("2019-02-30", 2019, "2019-02"), ("2020-02-29", 2020, "2020-02-29"),
      ("0000-99-99", nil, nil), ("19", nil, nil), ("1e9", nil, nil), (" 1999 ", 1999, "1999"), ("-2019", nil, nil),
      ("\u{0662}\u{0660}\u{0661}\u{0669}", nil, nil), ("2019-4-7", 2019, "2019-04-07"), ("201904", 2019, "2019-04"),
      ("2026.06.08", 2026, "2026-06-08"), ("2026_06_08", 2026, "2026-06-08"), ("2026-06.08", 2026, "2026-06"),
      ("2001, 2014", 2001, "2001"), ("2001; 2014", 2001, "2001"), ("2001-2014", 2001, "2001"),
      ("1998/99", 1998, "1998"), ("2012年4月1日", 2012, "2012-04-01"), ("2012年 4月", 2012, "2012-04"),
      ("2012년 4월 1일", 2012, "2012-04-01"), ("2012年", 2012, "2012"), ("06.05.2001", 2001, "2001"),
      ("13.05.2001", 2001, "2001-05-13"), ("05/13/2001", 2001, "2001-05-13"), ("05/05/2001", 2001, "2001-05-05"),
      ("31.02.2001", 2001, "2001-02"), ("32.13.2001", 2001, "2001"), ("06/2001", 2001, "2001-06"),
      ("17042019", 2019, "2019-04-17"), ("Oct 3, 1995", 1995, "1995-10-03"), ("3. Oktober 1995", 1995, "1995-10-03"),
      ("October 1995", 1995, "1995-10"), ("3rd of Oct 1995", 1995, "1995-10"), ("1st October 1995", 1995, "1995-10-01"),
      ("1995-Oct-03", 1995, "1995-10-03"), ("1er août 1995", 1995, "1995-08"), ("Ma 3, 1995", 1995, "1995"),
      ("1965?", 1965, "1965"), ("c1965", 1965, "1965"), ("ca. 1965", 1965, "1965"), ("(1965)", 1965, "1965"),
      ("℗ 1965 Somebody", 1965, "1965"), ("1965-", 1965, "1965"), ("1990s", nil, nil), ("199x", nil, nil),
      ("12345", nil, nil), ("2019-04-17 20:15", 2019, "2019-04-17"), ("no date", nil, nil),
      ("１９９８", 1998, "1998"), ("20010506101112", 2001, "2001-05-06"),
    ] as [(String, Int?, String?)])
  // Faults: 46
  func `a date keeps the precision that is possible`(text: String, year: Int?, date: String?) {
    let tags = CommonTags(Tags([.init(name: "DATE", values: [text])]))
    #expect(tags.year == year)
    #expect(tags.date == date)
  }

  @Test(
    arguments: [
      ("A1", nil, 1), ("B2", nil, 2), ("D", nil, 4), ("B2", "1", 1), ("7", nil, nil), ("CD2", nil, nil),
      ("B 2", nil, 2), ("C-1", nil, 3), ("Side B 2", nil, 2), ("No.5", nil, nil), ("Track 5", nil, nil),
    ]
      as [(String, String?, Int?)])
  func `the sides of a record are in order as discs are, unless a tag gives the disc`(
    track: String, disc: String?, number: Int?
  ) {
    let discs = disc.map { [Tags.Property(name: "DISCNUMBER", values: [$0])] } ?? []
    #expect(CommonTags(Tags([.init(name: "TRACKNUMBER", values: [track])] + discs)).disc == number)
  }

  // Faults: 50
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
