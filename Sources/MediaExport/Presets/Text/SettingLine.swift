/// A line of the form `name: value` or `name=value`.
struct SettingLine {
  let name: Substring
  let value: Substring

  init?(_ line: Substring, separator: Character) {
    guard let index = line.firstIndex(of: separator) else { return nil }
    name = line[..<index].trimmingBlanks()
    value = line[line.index(after: index)...].trimmingBlanks()
  }
}
