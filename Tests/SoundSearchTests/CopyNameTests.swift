import Base
import Testing

@testable import SoundSearch

struct CopyNameTests {
  @Test(arguments: [
    ("01.flac", 0), ("01 (1).flac", 1), ("01 (12)", 1), ("01 (123).flac", 0), ("Air (1) (2).mp3", 2), ("(1).flac", 0),
    ("Air - Copy.flac", 1), ("Air - Copy (3).flac", 2), ("Air copy.flac", 1), ("Air copy 2.flac", 1), ("copy.flac", 0),
    ("copy 2.flac", 0), ("Air (copy).ogg", 1), ("Air (another copy).ogg", 1), ("Air (3rd copy).ogg", 1),
    ("Air (hard copy).ogg", 0), ("Symphony 2.flac", 0), ("Air (live).flac", 0), ("Photocopy.flac", 0),
    (".hidden (1)", 1),
    ("Album (1)/01.flac", 0), ("", 0), (")", 0), (" ()", 0),
  ])
  func `marks of copies are counted at the end of a name`(_ name: String, _ count: Int) {
    #expect(CopyName.markCount(BytePath(name)) == count)
  }
}
