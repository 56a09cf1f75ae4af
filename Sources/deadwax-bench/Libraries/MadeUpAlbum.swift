/// What the tracks of one album share.
struct MadeUpAlbum {
  static let genres = [
    "Rock", "Pop", "Jazz", "Electronic", "Classical", "Hip Hop", "Folk", "Ambient", "Metal", "Soul", "Techno", "House",
    "Reggae", "Blues", "Latin", "Soundtrack", "Drum & Bass", "Country", "Punk", "Opera", "Spoken Word",
  ]

  var artist: String
  var title: String
  var year: Int
  var genres: [String]
  var label: String
  var composer: String?
  var codec: MadeUpCodec
  var script: Vocabulary.Script
  var trackCount: Int
  /// How loud music of that year and kind was mastered.
  var loudness: Double
  var isCompilation: Bool
  var hasIDs: Bool

  init(by artist: String, _ script: Vocabulary.Script, _ vocabulary: Vocabulary, _ random: inout BenchRandom) {
    self.artist = artist
    self.script = script
    title = vocabulary.phrase(1...4, script, &random)
    year = 2024 - min(75, Int(abs(random.normal(0, 20))))
    genres = [Self.genres[random.rank(below: Self.genres.count)]]
    if random.isTrue(0.25) { genres.append(random.pick(Self.genres)) }
    label = vocabulary.phrase(1...2, .latin, &random) + " Records"
    composer = random.isTrue(0.3) ? vocabulary.phrase(2...2, script, &random) : nil
    codec = MadeUpCodec(&random)
    trackCount = random.number(6...18)
    loudness = random.normal(year > 1994 ? -9.5 : -14.5, 2)
    isCompilation = random.isTrue(0.04)
    hasIDs = random.isTrue(0.4)
  }
}
