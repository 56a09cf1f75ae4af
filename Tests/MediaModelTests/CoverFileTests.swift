import Base
import MediaModel
import Testing

struct CoverFileTests {
  @Test(arguments: [
    "cover.jpg", "Cover.JPG", "disc/FOLDER.jpeg", "front.png", "album.WebP", "a/b/cover.gif", "Album.bmp",
  ])
  func `these names say that a picture is a cover`(name: String) {
    #expect(CoverFile.rank(ofName: BytePath(name)) != nil)
  }

  @Test(arguments: [
    "cover", "cover.txt", "cover.flac", "covers.jpg", "back.jpg", "AlbumArtSmall.jpg", "AlbumArt_{1}_Large.jpg",
    "cover.jpg/01.jpg", "01 Cover.jpg", ".jpg", "cover.jpg.txt", "cover.jpg~", "cover .jpg",
  ])
  func `these do not`(name: String) {
    #expect(CoverFile.rank(ofName: BytePath(name)) == nil)
  }

  @Test func `the word comes before the type`() {
    let names = [
      "cover.jpg", "cover.jpeg", "cover.png", "folder.jpg", "folder.webp", "front.jpg", "album.jpg", "album.bmp",
    ]
    let ranks = names.compactMap { CoverFile.rank(ofName: BytePath($0)) }
    #expect(ranks == ranks.sorted() && Set(ranks).count == names.count)
  }

  @Test func `a name need not be text`() {
    #expect(CoverFile.rank(ofName: BytePath(Array("co".utf8) + [0xFF] + Array("er.jpg".utf8))) == nil)
    #expect(CoverFile.rank(ofName: BytePath([0xFF, 0x2F] + Array("cover.jpg".utf8))) == 0)
  }
}
