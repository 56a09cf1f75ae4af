import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

private enum Mutagen {
  static let isThere = (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil
}

/// Roles of people, works, movements and sort names have one name each, whatever the kind of tag: Mutagen writes them as MusicBrainz
/// Picard's table of tags has them.
@Suite(.enabled(if: Mutagen.isThere, "python3-mutagen is not installed"))
struct CreditTagsTests {
  private static let sorts = [
    "ARTISTSORT": ["Vale, Nora"], "ALBUMARTISTSORT": ["Lathe"], "COMPOSERSORT": ["Schumann, Clara"],
    "TITLESORT": ["Tide, Slow"], "ALBUMSORT": ["Tides"],
  ]
  private static let people = [
    "COMPOSER": ["Clara Schumann", "Bo"], "CONDUCTOR": ["Carl C"], "LYRICIST": ["Dora D"], "REMIXER": ["Émile"],
    "ARRANGER": ["Fay F"], "ENGINEER": ["Gil G"], "PRODUCER": ["Hal H"], "MIXER": ["Ida I"], "DJMIXER": ["Jo J"],
  ]
  private static let performers = ["PERFORMER": ["Nora Vale (violin)", "Kim K (guitar)", "Lee L"]]
  private static let movement = [
    "WORK": ["Symphony No. 3"], "MOVEMENTNAME": ["Adagio"], "MOVEMENTNUMBER": ["2"], "MOVEMENTCOUNT": ["4"],
  ]
  private static let grouping = ["GROUPING": ["Late works"]]

  struct Form: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Below the fixtures, with this extension.
    let fileExtension: String
    /// Python, which has `file`, `tags` and Mutagen's modules.
    let script: String
    let expected: [[String: [String]]]
  }

  /// Of comments and APE.
  private static let plain = """
    people.update(sorts)
    for name, values in people.items(): tags[name] = values
    tags['PERFORMER'] = ['Nora Vale (violin)', 'Kim K (guitar)', 'Lee L']
    tags['WORK'] = ['Symphony No. 3']
    tags['MOVEMENTNAME'] = ['Adagio']
    tags['MOVEMENT'] = ['2']
    tags['MOVEMENTTOTAL'] = ['4']
    tags['GROUPING'] = ['Late works']
    """

  private static let frames = """
    def text(name, *values): tags.add(getattr(id3, name)(encoding=3, text=list(values)))
    text('TCOM', 'Clara Schumann', 'Bo'); text('TPE3', 'Carl C'); text('TEXT', 'Dora D'); text('TPE4', 'Émile')
    text('TSOP', 'Vale, Nora'); text('TSO2', 'Lathe'); text('TSOC', 'Schumann, Clara'); text('TSOT', 'Tide, Slow')
    text('TSOA', 'Tides'); text('MVNM', 'Adagio'); text('MVIN', '2/4')
    """

  private static let forms = [
    Form(
      testDescription: "FLAC", fileExtension: "flac", script: plain,
      expected: [people, performers, movement, sorts, grouping]),
    Form(
      testDescription: "Opus", fileExtension: "opus", script: plain,
      expected: [people, performers, movement, sorts, grouping]),
    Form(
      testDescription: "Vorbis", fileExtension: "ogg", script: plain,
      expected: [people, performers, movement, sorts, grouping]),
    Form(
      testDescription: "APE", fileExtension: "wv",
      script: plain.replacing("tags[name]", with: "tags[{'REMIXER': 'MixArtist'}.get(name, name)]"),
      expected: [people, performers, movement, sorts, grouping]),
    Form(
      testDescription: "ID3v2.4", fileExtension: "mp3",
      script: frames + """

        tags.add(id3.TMCL(encoding=3, people=[['violin', 'Nora Vale'], ['Guitar', 'Kim K'], ['performer', 'Lee L']]))
        tags.add(id3.TIPL(encoding=3, people=[['arranger', 'Fay F'], ['engineer', 'Gil G'], ['producer', 'Hal H'], ['mix', 'Ida I'], ['DJ-mix', 'Jo J']]))
        tags.add(id3.TXXX(encoding=3, desc='WORK', text=['Symphony No. 3']))
        text('TIT1', 'Late works')
        """,
      expected: [
        people, ["PERFORMER": ["Nora Vale (violin)", "Kim K (Guitar)", "Lee L"]], sorts, grouping,
        ["WORK": ["Symphony No. 3"], "MOVEMENTNAME": ["Adagio"], "MOVEMENTNUMBER": ["2/4"]],
      ]),
    Form(
      testDescription: "ID3v2.3", fileExtension: "mp3",
      script: frames + """

        tags.add(id3.IPLS(encoding=3, people=[['violin', 'Nora Vale'], ['guitar', 'Kim K'], ['arranger', 'Fay F'], ['engineer', 'Gil G'], ['producer', 'Hal H'], ['mix', 'Ida I'], ['DJ-mix', 'Jo J']]))
        text('TIT1', 'Symphony No. 3'); text('GRP1', 'Late works')
        version = 3
        """,
      expected: [
        ["PERFORMER": ["Nora Vale (violin)", "Kim K (guitar)"]], grouping,
        // Mutagen leaves out the frames that this version does not have.
        sorts.filter { ["ALBUMARTISTSORT", "COMPOSERSORT"].contains($0.key) },
        // Which has a slash between values.
        people.merging(["COMPOSER": ["Clara Schumann/Bo"]]) { $1 },
        ["WORK": ["Symphony No. 3"], "MOVEMENTNAME": ["Adagio"], "MOVEMENTNUMBER": ["2/4"]],
      ]),
    Form(
      testDescription: "MP4", fileExtension: "m4a",
      script: """
        tags['\\xa9wrt'] = ['Clara Schumann', 'Bo']
        for name, values in people.items():
            if name != 'COMPOSER': tags['----:com.apple.iTunes:' + name] = [value.encode() for value in values]
        for key, name in {'soar': 'ARTISTSORT', 'soaa': 'ALBUMARTISTSORT', 'soco': 'COMPOSERSORT', 'sonm': 'TITLESORT', 'soal': 'ALBUMSORT'}.items():
            tags[key] = sorts[name]
        tags['\\xa9wrk'] = ['Symphony No. 3']; tags['\\xa9mvn'] = ['Adagio']; tags['\\xa9mvi'] = [2]; tags['\\xa9mvc'] = [4]
        tags['\\xa9grp'] = ['Late works']
        """,
      expected: [people, movement, sorts, grouping]),
    Form(
      testDescription: "ASF", fileExtension: "wma",
      script: """
        names = {'COMPOSER': 'WM/Composer', 'CONDUCTOR': 'WM/Conductor', 'LYRICIST': 'WM/Writer', 'REMIXER': 'WM/ModifiedBy',
          'ARRANGER': 'WM/ARRANGER', 'ENGINEER': 'WM/Engineer', 'PRODUCER': 'WM/Producer', 'MIXER': 'WM/Mixer', 'DJMIXER': 'WM/DJMixer',
          'ARTISTSORT': 'WM/ArtistSortOrder', 'ALBUMARTISTSORT': 'WM/AlbumArtistSortOrder', 'COMPOSERSORT': 'WM/ComposerSortOrder',
          'TITLESORT': 'WM/TitleSortOrder', 'ALBUMSORT': 'WM/AlbumSortOrder'}
        people.update(sorts)
        for name, values in people.items(): tags[names[name]] = values
        tags['WM/Work'] = ['Symphony No. 3']; tags['WM/ContentGroupDescription'] = ['Late works']
        """,
      expected: [people, sorts, grouping, ["WORK": ["Symphony No. 3"]]]),
  ]

  private static func fixture(_ fileExtension: String) throws -> URL {
    let paths = FileManager.default.subpaths(atPath: Corpora.fixtures.path) ?? []
    let folders = ["audio/", "formats/", "encoded/"]
    let path = try #require(
      paths.sorted().first { path in
        path.hasSuffix("." + fileExtension) && folders.contains { path.hasPrefix($0) }
      })
    return Corpora.fixtures.appending(path: path)
  }

  private static func python(_ values: [String: [String]]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: values), as: UTF8.self)
  }

  /// What Picard and others write beside that; a value under two names of one tag is one.
  private static let otherForms = [
    Form(
      testDescription: "ID3v2", fileExtension: "mp3",
      script: """
        def described(name, value): tags.add(id3.TXXX(encoding=3, desc=name, text=[value]))
        described('MusicBrainz Disc Id', 'disc'); described('MusicBrainz TRM Id', 'trm')
        described('MusicBrainz Original Album Id', 'former'); described('MusicIP PUID', 'puid')
        described('ORIGINALDATE', '1999'); tags.add(id3.TDOR(encoding=3, text=['1999']))
        tags.add(id3.TDRL(encoding=3, text=['2001-02-03T04:05:06'])); tags.add(id3.TDRC(encoding=3, text=['2001-02-03T04:05']))
        for encoding in range(4):
            tags.add(id3.WXXX(encoding=encoding, desc=f'Shop {encoding}', url='http://shop.example/é'))
        tags.add(id3.WXXX(encoding=1, desc='', url='http://artist.example'))
        """,
      expected: [
        Dictionary(uniqueKeysWithValues: (0..<4).map { ("URL:SHOP \($0)", ["http://shop.example/é"]) }),
        [
          "URL": ["http://artist.example"], "MUSICBRAINZ_DISCID": ["disc"], "MUSICBRAINZ_TRMID": ["trm"],
          "MUSICBRAINZ_ORIGINALALBUMID": ["former"], "MUSICIP_PUID": ["puid"], "ORIGINALDATE": ["1999"],
          "RELEASEDATE": ["2001-02-03 04:05:06"], "DATE": ["2001-02-03 04:05"],
        ],
      ]),
    Form(
      testDescription: "MP4", fileExtension: "m4a",
      script: """
        def free(name, *values, mean='com.apple.iTunes'):
            tags[f'----:{mean}:{name}'] = [value.encode() for value in values]
        free('MusicBrainz Disc Id', 'disc'); free('MusicIP PUID', 'puid'); free('Acoustid Id', 'acoustid')
        free('MusicBrainz Album Artist Id', 'one', 'two'); free('MUSICBRAINZ_ALBUMARTISTID', 'one', 'two')
        free('replaygain_track_gain\\0', '-3.00 dB', mean='com.apple.iTunes\\0')
        tags['\\xa9wrt'] = ['Clara']; tags['\\xa9com'] = ['Bo', 'Clara']; tags['\\xa9cpy'] = ['Nobody']
        tags['\\xa9ope'] = ['First']; tags['\\xa9st3'] = ['Sub']
        """,
      expected: [
        [
          "MUSICBRAINZ_DISCID": ["disc"], "MUSICIP_PUID": ["puid"], "ACOUSTID_ID": ["acoustid"],
          "MUSICBRAINZ_ALBUMARTISTID": ["one", "two"], "REPLAYGAIN_TRACK_GAIN": ["-3.00 dB"],
          "COPYRIGHT": ["Nobody"], "ORIGINALARTIST": ["First"], "SUBTITLE": ["Sub"],
        ]
      ]),
    Form(
      testDescription: "APE", fileExtension: "wv",
      script: "tags['Year'] = ['2001']; tags['Date'] = ['2001']; tags['Genre'] = ['Dub', 'Dub']",
      expected: [["DATE": ["2001"], "GENRE": ["Dub", "Dub"]]]),
    Form(
      testDescription: "ASF", fileExtension: "wma",
      script: """
        from mutagen.asf import ASFBoolAttribute
        tags['WM/IsCompilation'] = [ASFBoolAttribute(True)]
        for name, value in {'WM/InitialKey': 'F#m', 'WM/OriginalReleaseTime': '1999', 'WM/OriginalAlbumTitle': 'Then',
          'WM/OriginalArtist': 'First', 'WM/OriginalLyricist': 'Dora', 'MusicBrainz/Disc Id': 'disc'}.items(): tags[name] = [value]
        """,
      expected: [
        [
          "COMPILATION": ["1"], "INITIALKEY": ["F#m"], "ORIGINALDATE": ["1999"], "ORIGINALALBUM": ["Then"],
          "ORIGINALARTIST": ["First"], "ORIGINALLYRICIST": ["Dora"], "MUSICBRAINZ_DISCID": ["disc"],
        ]
      ]),
  ]

  @Test(arguments: forms) func `every kind of tag has roles, works and sort names`(_ form: Form) throws {
    try expectTags(form)
  }

  @Test(arguments: otherForms) func `what programs call differently has one name, and each value once`(
    _ form: Form
  ) throws { try expectTags(form) }

  private func expectTags(_ form: Form) throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("a.\(form.fileExtension)")
    try FileManager.default.copyItem(at: Self.fixture(form.fileExtension), to: file)
    let script = """
      import json, sys, mutagen
      from mutagen import id3
      file = mutagen.File(sys.argv[1])
      if file.tags is None: file.add_tags()
      tags = file.tags
      tags.clear()
      people, sorts = json.loads(sys.argv[2]), json.loads(sys.argv[3])
      version = 4
      \(form.script)
      if isinstance(tags, id3.ID3):
          if version == 3: tags.update_to_v23()
          file.save(v2_version=version)
      else: file.save()
      """
    try folder.write(Array(script.utf8), to: "tag.py")
    try Tool.run(
      "bash",
      arguments: [
        "-c", "exec /usr/bin/python3 \"$@\"", "bash", folder.appending("tag.py").path, file.path,
        Self.python(Self.people), Self.python(Self.sorts),
      ])
    let tags = try OpenFile(file).tags().tags
    for (name, values) in form.expected.flatMap({ $0 }) { #expect(tags[name] == values, "\(name)") }
    #expect(!tags.properties.contains { $0.name.hasPrefix("PERFORMER:") || $0.name.hasPrefix("WM/") })
  }
}
