import Base
import DeadwaxCLI
import Testing

/// Where a desktop says that music is.
struct UserFoldersTests {
  @Test(arguments: [
    ("XDG_MUSIC_DIR=\"$HOME/Musik\"\n", "/home/ana/Musik"), ("XDG_MUSIC_DIR=\"/srv/music/\"\n", "/srv/music"),
    ("# XDG_MUSIC_DIR=\"/no\"\nXDG_VIDEOS_DIR=\"/v\"\n", nil), ("XDG_MUSIC_DIR=\"$HOME/\"\n", nil),
    ("XDG_MUSIC_DIR=\"$HOME\"\n", nil), ("XDG_MUSIC_DIR=\"Music\"\n", nil), ("", nil),
    ("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"$HOME/b \\\"c\\\"\"", "/home/ana/b \"c\""),
  ])
  func `the music folder is read as xdg-user-dirs writes it`(settings: String, expected: String?) {
    let found = UserFolders.music(inSettings: Array(settings.utf8), home: BytePath("/home/ana"))
    #expect(found == expected.map { BytePath($0) })
  }
}
