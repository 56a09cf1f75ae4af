import Testing
import TestSupport

/// Commands and options that the README and the manual name, also where no test can run them.
struct ManualCommandsTests {
  @Test(arguments: ManualPage.all)
  func `commands and their options exist`(page: ManualPage) async throws {
    let deadwax = try DeadwaxCommand.called()
    let listed = try await deadwax.run(["help"]).text.split(separator: "\n")
    let commands = Set(listed.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map { $0.split(separator: " ")[0] })
    #expect(commands.isSuperset(of: ["scan", "preset", "serve"]))
    for words in page.namedCommands(Set(commands.map(String.init))) {
      let options = words.map { $0.split(separator: "=")[0] }.filter { $0.hasPrefix("--") && $0.count > 2 }
      let names = Array(words.prefix { $0.allSatisfy(\.isLowercase) })
      var help = try await deadwax.run(["help"] + names)
      // The last word may be an argument.
      if help.status != 0 { help = try await deadwax.run(["help"] + names.dropLast()) }
      let known = Set(help.text.split { !($0.isLetter || $0.isNumber || $0 == "-") })
      #expect(help.status == 0, "\(words)")
      #expect(known.isSuperset(of: options), "\(words): \(options.filter { !known.contains($0) })")
    }
  }
}
