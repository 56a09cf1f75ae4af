package import MediaModel

extension TagEdit {
  /// Numbers whose totals stand behind them in ID3v2, APE and MP4: `3/12`.
  private static let totals = [
    (total: "TRACKTOTAL", number: "TRACKNUMBER"), (total: "DISCTOTAL", number: "DISCNUMBER"),
  ]

  /// The same edit with totals where the file has them, or where its kind of tag has them: behind the number.
  ///
  /// A total that has a name of its own in the file keeps it, and gets one if there is no number.
  ///
  /// - Parameter tags: what the file says before the edit.
  package func settled(in tags: Tags, of container: Container) -> TagEdit {
    var settled = self
    for (total, number) in Self.totals { settled.settle(total, behind: number, tags, container) }
    return settled
  }

  private mutating func settle(_ total: String, behind number: String, _ tags: Tags, _ container: Container) {
    guard let change = properties.first(where: { $0.name == total }) else { return }
    let written = tags[number].first.map { $0.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false) }
    let isNamed = !tags[total].isEmpty
    let isBehind = written?.count == 2
    // In Vorbis comments a total is a comment of its own.
    let isUsuallyBehind = ![.flac, .ogg].contains(container)
    guard change.values.count <= 1, isBehind || isUsuallyBehind && !isNamed else { return }
    let wanted = properties.first { $0.name == number }?.values
    guard wanted ?? tags[number] != [], wanted?.count ?? 1 == 1, tags[number].count <= 1 || wanted != nil,
      let first = (wanted?.first ?? tags[number].first)?.split(separator: "/", omittingEmptySubsequences: false).first
    else { return }
    let isChanged = { (change: Change) in
      switch change {
      case .set(let name, _), .remove(let name): [total, number].contains(name.uppercased())
      case .setFrontCover, .removeFrontCovers: false
      }
    }
    changes.removeAll(where: isChanged)
    changes.append(.set(number, [change.values.first.map { "\(first)/\($0)" } ?? String(first)]))
    if isNamed { changes.append(change.values.isEmpty ? .remove(total) : .set(total, change.values)) }
  }
}
