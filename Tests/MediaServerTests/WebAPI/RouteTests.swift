import Base
import CWebPage
import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import WebAPI

struct RouteTests {
  @Test func `names come before what varies`() throws {
    let table = RouteTable(try ServedLibrary.routes)
    guard case .route(let count, _) = table.match("GET", "/tracks/count"),
      case .route(let track, let values) = table.match("GET", "/tracks/17")
    else {
      Issue.record("a path has no route")
      return
    }
    #expect(count.path == "/tracks/count")
    #expect(track.path == "/tracks/{id}" && values == ["id": "17"])
  }

  @Test func `a path without such a method says which it has`() throws {
    guard case .otherMethods(let methods) = RouteTable(try ServedLibrary.routes).match("DELETE", "/lists") else {
      Issue.record("it should have other methods")
      return
    }
    #expect(Set(methods) == [.get, .post])
  }

  @Test(arguments: ["", "/", "/tracks/", "/tracks//pcm", "/nothing", "/tracks/1/pcm/2"])
  func `any other path is nothing`(path: String) throws {
    guard case .nothing = RouteTable(try ServedLibrary.routes).match("GET", path[...]) else {
      Issue.record("\(path) has a route")
      return
    }
  }

  @Test func `no two routes are the same`() throws {
    let names = try ServedLibrary.routes.map { "\($0.method.rawValue) \($0.path)" }
    #expect(Set(names).count == names.count)
  }

  @Test func `the description and the documentation name every route and parameter`() throws {
    let routes = try ServedLibrary.routes
    let document = OpenAPI.document(of: routes)
    let text = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/api.md"), encoding: .utf8)
    for route in routes {
      let path = Route.prefix + route.path
      let operation = document["paths"]?[path]?[route.method.rawValue.lowercased()]
      let names = operation?["parameters"]?.array?.compactMap { $0["name"]?.string } ?? []
      #expect(Set(route.parameters.map(\.name)).isSubset(of: names), "\(path) is not described")
      #expect(
        text.contains(path) || text.contains("…\(route.path.dropFirst("/tracks/{id}".count))"),
        "docs/api.md lacks \(path)")
    }
  }

  @Test func `every file of the page is in the program, and nothing else`() throws {
    let folder = Corpora.projectRoot.appending(path: "web")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder.path + "/" + name, isDirectory: &isFolder)
        && !isFolder.boolValue && !name.hasSuffix(".d.ts")
    }
    let embedded = (0..<Int(dw_page_file_count())).map { dw_page_file($0) }
    #expect(Set(embedded.map { String(cString: $0.name) }) == Set(names))
    for file in embedded {
      let bytes = try Data(contentsOf: folder.appending(path: String(cString: file.name)))
      #expect(Data(bytes: file.bytes, count: file.size) == bytes)
    }
  }

  // Faults: 119
  @Test(arguments: ["/%zz", "no-slash", "/%00", "/%ff", "/a?b=%"])
  func `an address that is no address is refused`(target: String) { #expect(Call.target(target) == nil) }

  @Test func `addresses are decoded once, and a plus is a blank only in the query`() {
    let target = Call.target("/a+b%2Fc?q=x+y%2B%C3%A9&r=&s")
    #expect(target?.path == "/a+b/c")
    #expect(target?.query.all.map(\.name) == ["q", "r", "s"])
    #expect(target?.query.all.map(\.value) == ["x y+é", "", ""])
  }
}
