internal import Base

/// Which files are one album: [docs/albums.md](../../../docs/albums.md) has the rule and its cases.
///
/// A pure function of the files of one shelf, see ``AlbumFile/shelf``; their order makes no difference.
package enum AlbumRule {
  package static let variousArtists = "Various Artists"

  /// - Complexity: O(n log n) for n files, but for albums of several artists without an album artist, each of which is compared with
  ///   some that have a track like its own.
  package static func albums(of files: [AlbumFile]) -> [AlbumGroup] {
    let files = withReleaseGroups(files).sorted { $0.id < $1.id }
    var clusters: [Cluster] = []
    for (_, files) in Dictionary(grouping: files, by: FolderKey.init).sorted(by: { $0.key < $1.key }) {
      clusters += self.clusters(inFolder: files)
    }
    return chosen(joined(clusters)).map(\.group).sorted { ($0.fileIDs.first ?? 0) < ($1.fileIDs.first ?? 0) }
  }

  /// Files that name only their release get the release group that others of it name.
  private static func withReleaseGroups(_ files: [AlbumFile]) -> [AlbumFile] {
    var groups: [String: String] = [:]
    for file in files {
      if let release = file.release, let group = file.releaseGroup {
        groups[release] = min(groups[release] ?? group, group)
      }
    }
    guard !groups.isEmpty else { return files }
    return files.map { file in
      var file = file
      file.releaseGroup = file.releaseGroup ?? file.release.flatMap { groups[$0] }
      return file
    }
  }

  private struct FolderKey: Hashable, Comparable {
    let rootID: Int64
    let folder: String

    init(_ file: AlbumFile) { (rootID, folder) = (file.rootID, file.folder) }

    static func < (left: FolderKey, right: FolderKey) -> Bool {
      (left.rootID, left.folder) < (right.rootID, right.folder)
    }
  }

  // MARK: - In one folder

  /// The albums of one title in one folder: one for each MusicBrainz id and each album artist. Files without either go to the only
  /// one there is.
  private static func clusters(inFolder files: [AlbumFile]) -> [Cluster] {
    var clusters: [Cluster] = []
    for (identity, files) in spread(files, by: \.identity).sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
      // The album artist of a file that has none may be that of the others.
      let groups = spread(files) { file in
        let artist = ArtistName.isVarious(file.albumArtist) ? variousArtists : ArtistName.key(file.albumArtist)
        return artist.isEmpty ? nil : artist
      }
      for (artist, files) in groups.sorted(by: { $0.key ?? "" < $1.key ?? "" }) {
        let parts = artist == nil && identity == nil ? parted(files) : [files]
        clusters += parts.map { Cluster($0, identity: identity) }
      }
    }
    return clusters
  }

  /// The albums of artists of whom each has all numbers from 1 on, as two of them called "Greatest Hits" in one folder; else all files
  /// together.
  private static func parted(_ files: [AlbumFile]) -> [[AlbumFile]] {
    let groups = Dictionary(grouping: files) { ArtistName.key($0.artist) }
    let areWhole = groups.allSatisfy { artist, files in
      let numbers = Set(files.compactMap(\.track))
      return !artist.isEmpty && files.count >= fewestOfAnAlbum && numbers == Set(1...files.count)
        && files.allSatisfy { !$0.isCompilation && $0.disc ?? 1 == 1 }
    }
    guard groups.count > 1, areWhole else { return [files] }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }

  private static let fewestOfAnAlbum = 3

  /// Groups files by a key; those without one go to the only group there is, else to the group where their artist has files, else
  /// they are a group of their own.
  private static func spread(_ files: [AlbumFile], by key: (AlbumFile) -> String?) -> [String?: [AlbumFile]] {
    var groups = Dictionary(grouping: files, by: key)
    guard groups.count > 1, let others = groups.removeValue(forKey: nil) else { return groups }
    if groups.count == 1, let only = groups.keys.first {
      groups[only]? += others
      return groups
    }
    var homes: [String: Set<String?>] = [:]
    for (key, files) in groups {
      for name in Set(files.flatMap { [$0.albumArtist, $0.artist] }).map(ArtistName.key) {
        homes[name, default: []].insert(key)
      }
    }
    for file in others {
      let artist = ArtistName.key(file.artist)
      let home = artist.isEmpty ? [] : homes[artist] ?? []
      groups[home.count == 1 ? home.first ?? nil : nil, default: []].append(file)
    }
    return groups
  }

  // MARK: - In several folders

  /// Clusters of several folders become one album if MusicBrainz or the artist says so. Those of several artists whose files name no
  /// album artist are another album in each folder, unless their tracks agree.
  private static func joined(_ clusters: [Cluster]) -> [Cluster] {
    var albums: [Cluster] = []
    var placeByKey: [String: [Int]] = [:]
    func add(_ cluster: Cluster, key: String?) {
      if let key, let place = placeByKey[key]?.first(where: { albums[$0].canJoin(cluster) }) {
        albums[place].join(cluster)
      } else {
        albums.append(cluster)
        if let key { placeByKey[key, default: []].append(albums.count - 1) }
      }
    }
    // With an id first, then those whose artist is known.
    for cluster in clusters where cluster.identity != nil {
      add(cluster, key: "id " + (cluster.identity ?? ""))
    }
    for place in albums.indices {
      if let artist = albums[place].artistKey { placeByKey["by " + artist, default: []].append(place) }
    }
    let loose = clusters.filter { $0.identity == nil }
    for cluster in loose {
      guard let artist = cluster.artistKey else { continue }
      let key = "by " + artist
      let candidates = (placeByKey[key] ?? []).filter { albums[$0].canJoin(cluster) }
      if candidates.count > 1,
        let best = candidates.max(by: { cluster.agreement(albums[$0]) < cluster.agreement(albums[$1]) })
      {
        albums[best].join(cluster)
      } else {
        add(cluster, key: key)
      }
    }
    let tracks = TrackIndex()
    for place in albums.indices { tracks.add(albums[place], place) }
    for cluster in gathered(loose.filter { $0.artistKey == nil }) {
      let candidates = tracks.candidates(for: cluster).filter { cluster.agrees(with: albums[$0]) }
      if let place = candidates.first {
        albums[place].join(cluster)
        tracks.add(cluster, place)
      } else {
        albums.append(cluster)
        tracks.add(cluster, albums.count - 1)
      }
    }
    return albums
  }

  /// Joins what lies as iTunes puts it: the tracks of a compilation in a folder of its name below that of each artist, with numbers that
  /// no two of them have.
  private static func gathered(_ clusters: [Cluster]) -> [Cluster] {
    var result: [Cluster] = []
    var placeOfKey: [String: Int] = [:]
    for cluster in clusters {
      guard let key = cluster.layoutKey else {
        result.append(cluster)
        continue
      }
      if let place = placeOfKey[key], result[place].complements(cluster) {
        result[place].join(cluster)
      } else {
        placeOfKey[key] = placeOfKey[key] ?? result.count
        result.append(cluster)
      }
    }
    return result
  }

  /// Which albums have a track, to find those that may agree with others.
  private final class TrackIndex {
    private var places: [String: [Int]] = [:]
    /// Titles such as "Intro" are on very many albums.
    private static let limit = 64

    func add(_ cluster: Cluster, _ place: Int) {
      for key in cluster.allKeys where places[key, default: []].count < Self.limit {
        places[key, default: []].append(place)
      }
    }

    /// In order.
    func candidates(for cluster: Cluster) -> [Int] {
      Set(cluster.allKeys.flatMap { places[$0] ?? [] }).sorted()
    }
  }

  // MARK: - By hand

  /// What people said about recordings is done; other files of an album follow most of those in their folder, and copies in another
  /// folder those with their tracks.
  private static func chosen(_ albums: [Cluster]) -> [Cluster] {
    guard albums.contains(where: { $0.files.contains { $0.choice != nil } }) else { return albums }
    var result: [Cluster] = []
    var places: [AlbumNames: Int] = [:]
    for album in albums {
      func mostCommon(_ files: [AlbumFile]) -> AlbumNames? {
        let counts = Dictionary(grouping: files.compactMap(\.choice)) { $0 }.mapValues(\.count)
        return counts.max { ($0.value, $1.key.sortText) < ($1.value, $0.key.sortText) }?.key
      }
      let choiceOfFolder = Dictionary(grouping: album.files, by: FolderKey.init).compactMapValues(mostCommon)
      var choiceOfTrack = Dictionary(grouping: album.files) { NameKey.key($0.trackTitle) }.compactMapValues(mostCommon)
      choiceOfTrack[""] = nil
      let groups = Dictionary(grouping: album.files) { file in
        file.choice ?? choiceOfFolder[FolderKey(file)] ?? choiceOfTrack[NameKey.key(file.trackTitle)]
      }
      for (choice, files) in groups.sorted(by: { ($0.key?.sortText ?? "") < ($1.key?.sortText ?? "") }) {
        var part = Cluster(files, identity: album.identity)
        part.names = choice
        if let choice, let place = places[choice] {
          result[place].join(part)
        } else {
          if let choice { places[choice] = result.count }
          result.append(part)
        }
      }
    }
    return result
  }
}

extension AlbumNames {
  fileprivate var sortText: String { "\(artist)\u{0}\(title)" }
}

extension AlbumFile {
  /// What MusicBrainz calls its album.
  fileprivate var identity: String? { releaseGroup.map { "group \($0)" } ?? release.map { "release \($0)" } }
}

/// By whom the album of some files is.
private struct Credit {
  /// The album artist that files name; nil if none does.
  let stated: String?
  /// What all files share; nil if they are of several artists, or nothing is known.
  let shared: String?
  private let isOfSeveral: Bool

  init(_ files: [AlbumFile]) {
    stated = Spelling.mostCommon(files.map(\.albumArtist).filter { !ArtistName.key($0).isEmpty })
    let isCompilation = files.contains { $0.isCompilation }
    shared = isCompilation ? nil : ArtistName.shared(by: files)
    isOfSeveral = shared == nil && (isCompilation || files.contains { !ArtistName.key($0.artist).isEmpty })
  }

  var key: String? {
    if let stated { return ArtistName.isVarious(stated) ? "various" : ArtistName.key(stated) }
    return shared.flatMap { ArtistName.isVarious($0) ? nil : ArtistName.key($0) }
  }

  var isVarious: Bool {
    stated.map(ArtistName.isVarious) ?? (isOfSeveral || shared.map(ArtistName.isVarious) == true)
  }

  /// Empty if nothing is known.
  var artist: String { isVarious ? AlbumRule.variousArtists : stated ?? shared ?? "" }
}

/// Files that belong together, with what is known of their album.
private struct Cluster {
  private(set) var files: [AlbumFile]
  let identity: String?
  var names: AlbumNames?

  /// By what clusters of several folders are one album; nil if the artist does not say so.
  let artistKey: String?
  private(set) var trackKeys: Set<String>
  private var recordingIDs: Set<Int64>
  private var releaseTypes: Set<String>

  init(_ files: [AlbumFile], identity: String?) {
    self.files = files
    self.identity = identity
    recordingIDs = Set(files.compactMap(\.recordingID))
    releaseTypes = Set(files.compactMap(\.releaseType))
    trackKeys = Set(files.map(\.trackTitle).map(NameKey.key).filter { !$0.isEmpty && !Self.isGeneric($0) })
    artistKey = Credit(files).key
  }

  /// The folder around those of the artists and the name of the album's, if all files are of one flagged compilation in one folder, and
  /// have numbers.
  var layoutKey: String? {
    guard let first = files.first, identity == nil,
      files.allSatisfy({
        $0.isCompilation && $0.track != nil && $0.folder == first.folder && $0.rootID == first.rootID
      })
    else { return nil }
    let folders = first.folder.split(separator: "/")
    guard folders.count > 1 else { return nil }
    return
      "\(first.rootID)/\(folders.dropLast(2).joined(separator: "/"))//\(NameKey.key(String(folders[folders.count - 1])))"
  }

  /// Whether no number of a track is that of one of the other's.
  func complements(_ other: Cluster) -> Bool {
    func numbers(_ files: [AlbumFile]) -> Set<[Int?]> { Set(files.map { [$0.disc ?? 1, $0.track] }) }
    return numbers(files).isDisjoint(with: numbers(other.files))
  }

  /// Its tracks by title and by sound.
  var allKeys: [String] { trackKeys + recordingIDs.map { "#\($0)" } }

  /// Names that programs give to tracks that they do not know.
  private static func isGeneric(_ key: String) -> Bool {
    let words = key.split(separator: " ")
    return words.count == 2 && ["track", "audiotrack", "titel", "piste", "pista", "spur"].contains(words[0])
      && words[1].allSatisfy(\.isNumber)
  }

  /// Whether nothing says that they are two albums: other MusicBrainz ids, or a single beside an album.
  func canJoin(_ other: Cluster) -> Bool {
    if let identity, let otherIdentity = other.identity, identity != otherIdentity { return false }
    return releaseTypes.isEmpty || other.releaseTypes.isEmpty || !releaseTypes.isDisjoint(with: other.releaseTypes)
  }

  /// The share of the tracks of the smaller one that the other one has, too: 0 to 1.
  func agreement(_ other: Cluster) -> Double {
    let titles = trackKeys.intersection(other.trackKeys).count
    let recordings = recordingIDs.intersection(other.recordingIDs).count
    let smaller = min(max(trackKeys.count, recordingIDs.count), max(other.trackKeys.count, other.recordingIDs.count))
    return smaller == 0 ? 0 : Double(max(titles, recordings)) / Double(smaller)
  }

  /// Whether most tracks of the smaller one are on the other one, and at least two.
  func agrees(with other: Cluster) -> Bool {
    guard canJoin(other) else { return false }
    let common = max(
      trackKeys.intersection(other.trackKeys).count, recordingIDs.intersection(other.recordingIDs).count)
    return agreement(other) > 0.5 && common >= min(2, files.count, other.files.count)
  }

  mutating func join(_ other: Cluster) {
    files += other.files
    names = names ?? other.names
    trackKeys.formUnion(other.trackKeys)
    recordingIDs.formUnion(other.recordingIDs)
    releaseTypes.formUnion(other.releaseTypes)
  }

  var group: AlbumGroup {
    let ids = files.map(\.id).sorted()
    let releaseGroup = files.lazy.compactMap(\.releaseGroup).min()
    let credit = Credit(files)
    let (isVarious, artist) = (credit.isVarious, credit.artist)
    return AlbumGroup(
      title: title, artist: artist, isCompilation: isVarious || files.contains { $0.isCompilation },
      releaseGroup: releaseGroup, names: names, fileIDs: ids, artistSort: isVarious ? nil : sortName(of: artist),
      titleSort: Spelling.mostCommon(files.map(\.titleSort).filter { !$0.isEmpty }))
  }

  /// How files whose album artist, or else artist, is this one have its name for ordering.
  private func sortName(of artist: String) -> String? {
    let key = ArtistName.key(artist)
    guard !key.isEmpty else { return nil }
    let stated = files.filter { !$0.albumArtistSort.isEmpty && ArtistName.key($0.albumArtist) == key }
    let own = files.filter { !$0.artistSort.isEmpty && ArtistName.key($0.artist) == key }
    return Spelling.mostCommon(stated.isEmpty ? own.map(\.artistSort) : stated.map(\.albumArtistSort))
  }

  /// That of most files, without a disc if there are several, and without remarks about an edition if some file has none.
  private var title: String {
    let titles = files.map(\.title).filter { !$0.isEmpty }
    let bare = titles.map { AlbumTitle.withoutDisc($0) }
    let chosen = Set(titles).count > 1 || Set(files.compactMap(\.disc)).count > 1 ? bare : titles
    let plain = chosen.filter { AlbumTitle.withoutEdition($0) == $0.withoutBlankEnds }
    return Spelling.mostCommon(plain.isEmpty ? chosen : plain) ?? ""
  }
}

// MARK: - Files without an album

extension AlbumRule {
  /// The albums of the files in one folder whose tags name none.
  ///
  /// What could not be decoded, and what has no tags at all, belongs to the only album in the folder if there is one. Several other
  /// files are an album with the name of their folder if the folder has no other, and they are all by one artist, or numbered; without
  /// those, the files without an artist are. If most have no artist and all are numbered, the folder around it is their artist. The
  /// rest are tracks without an album, together by artist, in whatever folder they are.
  ///
  /// - Parameters:
  ///   - files: of one folder, in any order.
  ///   - albumIDs: of the albums in the folder that tags name.
  /// - Returns: The files of the only album, and other groups. What could not be decoded and is nowhere else is in neither.
  package static func untagged(
    _ files: [AlbumFile], besideAlbums albumIDs: Set<Int64>
  ) -> (ofTheAlbum: [Int64], groups: [AlbumGroup]) {
    let files = files.sorted { $0.id < $1.id }
    var ofTheAlbum: [AlbumFile] = []
    var bare: [AlbumFile] = []
    var loose: [AlbumFile] = []
    // Beside tracks of other people's, what has no tags is one of them, as in a folder of downloads.
    let isMixed = files.contains { $0.isDecoded && !$0.isUntagged }
    for file in files {
      let saysNothing = !file.isDecoded || file.isUntagged && !isMixed
      if let choice = file.choice, !choice.title.isEmpty {
        loose.append(file)
      } else if saysNothing, albumIDs.count == 1 {
        ofTheAlbum.append(file)
      } else if ArtistName.key(file.artist).isEmpty {
        bare.append(file)
      } else {
        loose.append(file)
      }
    }
    var groups: [AlbumGroup] = []
    let named = loose.filter { $0.choice == nil }
    if albumIDs.isEmpty, let album = ofFolder(bare, named) {
      groups.append(album)
      let ids = Set(album.fileIDs)
      loose.removeAll { ids.contains($0.id) }
      bare.removeAll { ids.contains($0.id) }
    }
    loose += bare.filter(\.isDecoded)
    let byNames = Dictionary(grouping: loose) { file in
      let artist = [file.artist, file.albumArtist].first { !ArtistName.key($0).isEmpty } ?? ""
      return file.choice ?? AlbumNames(artist: artist, title: "")
    }
    for (_, files) in Dictionary(grouping: byNames, by: { [NameKey.key($0.key.artist), NameKey.key($0.key.title)] })
      .sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
    {
      guard let first = files.min(by: { $0.key.artist < $1.key.artist })?.key else { continue }
      groups.append(
        AlbumGroup(
          title: first.title, artist: first.artist, isCompilation: false, releaseGroup: nil, names: first,
          fileIDs: files.flatMap { $0.value.map(\.id) }.sorted()))
    }
    return (ofTheAlbum.map(\.id), groups)
  }

  /// The album of a folder by the name of the folder; nil if its files do not look like one.
  ///
  /// - Parameters:
  ///   - bare: The files without an artist.
  ///   - named: Those with one.
  private static func ofFolder(_ bare: [AlbumFile], _ named: [AlbumFile]) -> AlbumGroup? {
    let folders = (bare + named).first?.folder.split(separator: "/").map(String.init) ?? []
    guard let folder = folders.last, !AlbumTitle.key(folder).isEmpty else { return nil }
    let ofNamed = Credit(named)
    let artistKey = ofNamed.isVarious ? "" : ArtistName.key(ofNamed.artist)
    // Loose tracks of an artist often lie in a folder of that name, and two among downloads by chance.
    let isOfOneArtist =
      bare.isEmpty && named.count > 2 && !artistKey.isEmpty && artistKey != ArtistName.key(folder)
    let areTogether = named.isEmpty || isOfOneArtist || haveNumbers(bare + named)
    let files = areTogether ? bare + named : bare
    guard files.count(where: \.isDecoded) > 1 else { return nil }
    let areNumbered = files.allSatisfy { $0.name.first?.isNumber == true }
    let credit = Credit(files)
    var artist = areNumbered ? folders.dropLast().last ?? "" : ""
    if credit.stated != nil {
      artist = credit.artist
    } else if areTogether, named.count > bare.count {
      artist = ofNamed.artist
    }
    return AlbumGroup(
      title: folder, artist: artist, isCompilation: ArtistName.isVarious(artist), releaseGroup: nil, names: nil,
      fileIDs: files.map(\.id).sorted())
  }

  /// Whether each file has a number of its own, in its tags or at the start of its name.
  private static func haveNumbers(_ files: [AlbumFile]) -> Bool {
    let numbers = files.map { file in
      file.track ?? file.name.firstMatch(of: #/^(\d{1,3})(?=[ ._)\-])/#).flatMap { Int($0.1) }
    }
    return numbers.allSatisfy { $0 != nil } && Set(zip(files, numbers).map { [$0.disc, $1] }).count == files.count
  }
}
