import LibraryTracks
import Testing
@testable import SoundSearch

struct EditionCompletenessTests {
  private func files(_ tracks: [Int?], of total: Int? = nil, disc: Int? = nil, discs: Int? = nil) -> [FileLabels] {
    tracks.map {
      FileLabels(fileID: 1, album: "A", edition: "a", track: $0, trackTotal: total, disc: disc, discTotal: discs)
    }
  }

  @Test func `an album is complete if its numbers count up without a gap, to the total if it is stated`() {
    #expect(EditionCompleteness.isComplete(files([1, 2, 3])))
    #expect(EditionCompleteness.isComplete(files([2, 1, 3], of: 3)))
    #expect(EditionCompleteness.isComplete(files([nil, nil])))
    #expect(EditionCompleteness.isComplete(files([1, 2, 2, 3])))
    #expect(!EditionCompleteness.isComplete(files([1, 3])))
    #expect(!EditionCompleteness.isComplete(files([1, 2], of: 3)))
    #expect(!EditionCompleteness.isComplete(files([1])))
  }

  @Test func `each disc counts for itself, and all of them must be there`() {
    #expect(EditionCompleteness.isComplete(files([1, 2], disc: 1, discs: 2) + files([1, 2, 3], disc: 2, discs: 2)))
    #expect(!EditionCompleteness.isComplete(files([1, 2], disc: 1, discs: 2)))
    #expect(!EditionCompleteness.isComplete(files([1, 2], disc: 1) + files([2], disc: 2)))
  }

  @Test func `numbers that no disc has make no album complete`() {
    #expect(!EditionCompleteness.isComplete(files([1, 2_147_483_647])))
    #expect(!EditionCompleteness.isComplete(files([-1, 0, 1])))
  }

  @Test func `titles are one whatever their case, accents and blanks`() {
    #expect(CopyJudge.folded("Les  Échos ") == CopyJudge.folded("les echos"))
    #expect(CopyJudge.folded("Les Échos") != CopyJudge.folded("Les Échos (Live)"))
  }
}
