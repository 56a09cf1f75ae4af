import MediaModel
import Testing

struct AlbumEditionTests {
  @Test(arguments: [
    ("Tides/CD1/01.flac", "Tides"), ("Tides/Disc 2/01.flac", "Tides"), ("Tides/disk-03/01.flac", "Tides"),
    ("Tides/Disc 1 - Early Years/01.flac", "Tides"), ("Tides/Side B/01.flac", "Tides"), ("CD 2/01.flac", ""),
    ("/m/Tides/CD1/01.flac", "/m/Tides"), ("/m/Tides (CD1)/01.flac", "/m/Tides"),
    ("/m/Tides - Disc 2/01.flac", "/m/Tides"), ("Tides [Disc 1 of 2]/01.flac", "Tides"),
    ("Tides, Side B/01.flac", "Tides"), ("Tides CD 2 (Live)/01.flac", "Tides"),
  ])
  func `the folder of a disc counts as the folder around it`(path: String, folder: String) {
    #expect(AlbumEdition.folder(ofFile: path) == folder)
  }

  @Test(arguments: [
    ("Tides/CD1/01.flac", 1), ("Tides/Disc 12 - Late/01.flac", 12), ("Tides (CD2)/01.flac", 2),
    ("Tides/Side B/01.flac", 2),
    ("Tides/01.flac", nil), ("01.flac", nil), ("Autechre/LP5/01.flac", nil),
  ])
  func `a folder says which disc it is, unless it has the album's title`(path: String, disc: Int?) {
    #expect(AlbumEdition.disc(ofFile: path, onAlbum: path.contains("LP5") ? "LP5" : "Tides") == disc)
  }

  @Test(arguments: [
    ("Tides/01.flac", "Tides"), ("Tides FLAC/01.flac", "Tides FLAC"), ("01.flac", ""), ("/01.flac", ""),
    ("Discovery/01.flac", "Discovery"), ("CD/01.flac", "CD"), ("cd1985/01.flac", "cd1985"),
    ("LP1x/01.flac", "LP1x"), ("Tides FLAC 2/01.flac", "Tides FLAC 2"), ("abcd 1/01.flac", "abcd 1"),
    ("Tides CD 1985/01.flac", "Tides CD 1985"), ("(CD)/01.flac", "(CD)"), ("Sides/01.flac", "Sides"),
    ("e\u{301}/ü/01.flac", "e\u{301}/ü"),
  ])
  func `any other folder is the edition's own`(path: String, folder: String) {
    #expect(AlbumEdition.folder(ofFile: path) == folder)
  }
}
