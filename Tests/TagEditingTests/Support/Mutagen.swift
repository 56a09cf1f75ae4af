import Foundation
import Testing
import TestSupport

/// What another program reads: the second opinion about every format.
enum Mutagen {
  static let isThere = (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil
  static let absence: Comment = "python3-mutagen is not installed"

  /// What it reads of a file, under the library's names; of the usual names only. `COVER` is the length of the front cover.
  static func read(_ bytes: [UInt8], named name: String) throws -> [String: [String]] {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: name)
    return try read(folder.appending(name))
  }

  static func read(_ file: URL) throws -> [String: [String]] {
    let folder = try TemporaryFolder()
    try folder.write(Array(script.utf8), to: "read.py")
    let output = try Tool.run(
      "bash", "-c", "exec /usr/bin/python3 \"$@\"", "-", folder.appending("read.py").path, file.path)
    return try JSONDecoder().decode([String: [String]].self, from: output)
  }

  /// Runs Python with `file` open in Mutagen, its `tags`, and the module `id3`; saves nothing by itself.
  static func run(_ script: String, _ file: URL) throws {
    let folder = try TemporaryFolder()
    let start = "import sys, mutagen\nfrom mutagen import id3, apev2, flac, mp4\npath = sys.argv[1]\n"
    try folder.write(Array((start + script).utf8), to: "run.py")
    try Tool.run("bash", "-c", "exec /usr/bin/python3 \"$@\"", "-", folder.appending("run.py").path, file.path)
  }

  private static let script = """
    import sys, json, base64, mutagen
    from mutagen import id3, apev2, flac, mp4
    path = sys.argv[1]
    try:
        file = mutagen.File(path)
    except mutagen.MutagenError:
        file = None
    tags = file.tags if file is not None else None
    if tags is None:
        try:
            tags = id3.ID3(path)
        except mutagen.MutagenError:
            tags = {}
    found = {}
    frames = dict(TITLE='TIT2', ARTIST='TPE1', ALBUM='TALB', ALBUMARTIST='TPE2', COMPOSER='TCOM', DATE='TDRC',
                  TRACKNUMBER='TRCK', BPM='TBPM', COMPILATION='TCMP', COMMENT='COMM', CONDUCTOR='TPE3', ISRC='TSRC')
    atoms = dict(TITLE='\\xa9nam', ARTIST='\\xa9ART', ALBUM='\\xa9alb', ALBUMARTIST='aART', COMPOSER='\\xa9wrt',
                 DATE='\\xa9day', TRACKNUMBER='trkn', BPM='tmpo', COMPILATION='cpil', COMMENT='\\xa9cmt',
                 GENRE='\\xa9gen', LYRICS='\\xa9lyr')
    keys = dict(TRACKNUMBER='Track', DATE='Year', ALBUMARTIST='Album Artist')
    own = ['REPLAYGAIN_TRACK_GAIN', 'MY OWN NAME', 'ISRC', 'R128_TRACK_GAIN']
    if isinstance(tags, id3.ID3):
        for name, frame in frames.items():
            texts = [str(text) for frame in tags.getall(frame) for text in frame.text]
            if texts: found[name] = texts
        for frame in tags.getall('TCON'): found['GENRE'] = list(frame.text)
        for frame in tags.getall('USLT'): found['LYRICS'] = [frame.text]
        for frame in tags.getall('UFID:http://musicbrainz.org'): found['MUSICBRAINZ_TRACKID'] = [frame.data.decode()]
        for frame in tags.getall('TXXX'): found[frame.desc.upper()] = list(frame.text)
        people = [p for name in ('TIPL', 'TMCL', 'IPLS') for f in tags.getall(name) for p in f.people]
        if people: found['PEOPLE'] = [' '.join(p) for p in people]
        for frame in tags.getall('APIC'):
            if frame.type == 3: found['COVER'] = [str(len(frame.data))]
        if 'DATE' in found: found['DATE'] = [str(text).replace('T', ' ') for text in found['DATE']]
    elif isinstance(tags, mp4.MP4Tags):
        for name, atom in atoms.items():
            for value in tags.get(atom, []) if atom != 'cpil' else [tags[atom]] if atom in tags else []:
                if atom == 'trkn': value = '%d/%d' % value if value[1] else '%d' % value[0]
                if atom == 'cpil': value = '1' if value else '0'
                found.setdefault(name, []).append(str(value))
        for key, values in tags.items():
            if key.startswith('----:com.apple.iTunes:'):
                name = key.split(':')[2].upper().replace('MUSICBRAINZ TRACK ID', 'MUSICBRAINZ_TRACKID')
                found[name] = [v.decode('utf-8') for v in values if v.dataformat == 1]
        if tags.get('covr'): found['COVER'] = [str(len(tags['covr'][0]))]
    elif isinstance(tags, apev2.APEv2):
        for name in list(frames) + ['GENRE', 'LYRICS', 'MUSICBRAINZ_TRACKID'] + own:
            key = keys.get(name, name)
            if key in tags and tags[key].kind == apev2.TEXT: found[name] = str(tags[key]).split('\\0')
        if 'Cover Art (Front)' in tags: found['COVER'] = [str(len(tags['Cover Art (Front)'].value.split(b'\\0', 1)[1]))]
    else:
        for name in list(frames) + ['GENRE', 'LYRICS', 'MUSICBRAINZ_TRACKID'] + own:
            if name in tags: found[name] = list(tags[name])
        for picture in [flac.Picture(base64.b64decode(p)) for p in tags.get('METADATA_BLOCK_PICTURE', [])] + list(
                getattr(file, 'pictures', [])):
            if picture.type == 3: found['COVER'] = [str(len(picture.data))]
    print(json.dumps(found))
    """
}
