import Foundation

/// The demo program: stories that show what the library does, and the server that one of them needs.
@main
struct Demo {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("demo: \(error)\n".utf8))
      exit(1)
    }
  }

  @MainActor private static func run(_ words: [String]) async throws {
    let paths = words.dropFirst().map { URL(fileURLWithPath: $0) }
    switch (words.first, paths.count) {
    case ("payloads", 2): try await PayloadStory(payloads: paths[0], store: paths[1]).tell()
    case ("offline", 1): try await OfflineStory(in: paths[0]).tell()
    case ("serve", 1): try Serving(store: paths[0]).run()
    default: throw DemoError.usage
    }
  }
}
