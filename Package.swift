// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

// The compiler plugin is built against the SwiftSyntax that ships inside the toolchain, because a package manifest that
// needs no other package works everywhere a toolchain does. docs/building.md explains what that means for dependents.
let swiftSyntax = ToolchainSwiftSyntax.locate()

// Ways to be wrong, compiled in only for the crash campaign that shows that it notices them: docs/reliability.md.
let brokenVariants: [SwiftSetting] =
  ProcessInfo.processInfo.environment["BROKEN_VARIANTS"] == nil ? [] : [.define("BROKEN_VARIANTS")]

let package = Package(
  name: "swiftsync",
  products: [
    .library(name: "SwiftSync", targets: ["SwiftSync"]),
    .library(name: "Sync", targets: ["Sync"]),
    .library(name: "KeyValueStore", targets: ["KeyValueStore"]),
    .executable(name: "swiftsync", targets: ["SwiftSyncTool"]),
    .executable(name: "demo", targets: ["Demo"]),
    .executable(name: "benchmarks", targets: ["Benchmarks"]),
    .executable(name: "crashtest", targets: ["CrashTestProgram"]),
  ],
  targets: [
    // C libraries of the system.
    .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    // A function of the Swift runtime library.
    .systemLibrary(name: "CSwiftRuntime"),
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),

    // The layers, lowest first. A lower one never names a higher one.
    .target(name: "KeyValueStore", dependencies: ["CLMDB", "CXXHash"], swiftSettings: brokenVariants),
    .target(name: "Records", dependencies: ["KeyValueStore", "CXXHash"]),
    .target(name: "Contexts", dependencies: ["Records"]),
    .target(name: "SyncEngine", dependencies: ["Records", "CSimdjson"]),
    .macro(
      name: "SyncMacros",
      swiftSettings: swiftSyntax.compileSettings,
      linkerSettings: swiftSyntax.linkSettings),
    .target(name: "SwiftSync", dependencies: ["Contexts", "SyncEngine", "SyncMacros", "CSwiftRuntime"]),
    .target(name: "Sync", dependencies: ["Contexts", "Records", "SyncEngine", "CXML"]),

    // Programs, and what some of them share.
    .target(name: "HTTPServing", dependencies: ["CMicroHTTPD"], path: "Tools/http"),
    .target(
      name: "StoreTool", dependencies: ["HTTPServing", "Records", "Sync", "SyncEngine"], path: "Tools/swiftsync",
      exclude: ["Program"], resources: [.embedInCode("Browse/Page")]),
    .executableTarget(name: "SwiftSyncTool", dependencies: ["StoreTool"], path: "Tools/swiftsync/Program"),
    .target(name: "DemoWire", path: "Tools/demo/Wire"),
    .target(name: "DemoServer", dependencies: ["SwiftSync", "DemoWire"], path: "Tools/demo/Server"),
    .target(name: "DemoHTTP", dependencies: ["HTTPServing", "DemoWire"], path: "Tools/demo/HTTP"),
    .target(name: "DemoClient", dependencies: ["SwiftSync", "DemoWire"], path: "Tools/demo/Client"),
    .executableTarget(
      name: "Demo", dependencies: ["SwiftSync", "DemoServer", "DemoHTTP", "DemoClient", "HTTPServing"],
      path: "Tools/demo/Program"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "SwiftSync", "SyncEngine", "Records", "KeyValueStore", "CCounters", "CRivals", "CLMDB", "CSQLite",
      ],
      path: "Tools/benchmarks", exclude: ["CCounters", "CRivals", "run"]),
    .target(
      name: "CRivals", dependencies: ["CLMDB", "CSQLite"], path: "Tools/benchmarks/CRivals",
      linkerSettings: [.linkedLibrary("simdjson")]),

    // These replace the C library's calls in whatever they are linked into, so only their program may depend on each.
    .target(name: "CCounters", path: "Tools/benchmarks/CCounters"),
    .target(name: "CInterpose", path: "Tools/crashtest/CInterpose"),
    .target(
      name: "CrashTest",
      dependencies: [
        "KeyValueStore", "Records", "SyncEngine", "SwiftSync", "StoreTool", "DemoServer", "DemoClient", "CInterpose",
        "CXXHash", "TestSupport",
      ],
      path: "Tools/crashtest", exclude: ["CInterpose", "Program"], swiftSettings: brokenVariants),
    .executableTarget(name: "CrashTestProgram", dependencies: ["CrashTest"], path: "Tools/crashtest/Program"),

    // Tests, by layer.
    .target(name: "TestSupport", dependencies: ["KeyValueStore"], path: "Tests/TestSupport"),
    .testTarget(name: "KeyValueStoreTests", dependencies: ["KeyValueStore", "TestSupport"]),
    .testTarget(name: "RecordsTests", dependencies: ["Records", "TestSupport"], exclude: ["Fixtures"]),
    .testTarget(name: "SyncEngineTests", dependencies: ["SyncEngine", "TestSupport"]),
    .testTarget(
      name: "SyncMacrosTests",
      dependencies: ["SyncMacros", "SwiftSync", "TestSupport"],
      exclude: ["Fixtures"],
      swiftSettings: swiftSyntax.compileSettings,
      linkerSettings: swiftSyntax.linkSettings),
    .testTarget(name: "SwiftSyncTests", dependencies: ["SwiftSync", "TestSupport"]),
    .testTarget(name: "SyncTests", dependencies: ["Sync", "Records", "TestSupport"]),
    .testTarget(name: "SharedStoreTests", dependencies: ["SwiftSync", "Sync", "TestSupport"]),
    .testTarget(
      name: "ToolTests", dependencies: ["HTTPServing", "KeyValueStore", "Records", "StoreTool", "TestSupport"],
      exclude: ["Golden"]),
    .testTarget(
      name: "DemoTests",
      dependencies: ["SwiftSync", "DemoServer", "DemoHTTP", "DemoClient", "HTTPServing", "TestSupport"]),
    .testTarget(name: "CrashTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

/// Where the toolchain keeps its SwiftSyntax modules, and the flags that compile and link against them.
struct ToolchainSwiftSyntax {
  let folder: String

  /// `SWIFTSYNC_SWIFT_SYNTAX` names the folder explicitly; otherwise it is found beside the `swift` on the path.
  static func locate() -> ToolchainSwiftSyntax {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["SWIFTSYNC_SWIFT_SYNTAX"] { return ToolchainSwiftSyntax(folder: folder) }
    for directory in (environment["PATH"] ?? "").split(separator: ":") {
      let swift = URL(fileURLWithPath: "\(directory)/swift").resolvingSymlinksInPath()
      let usr = swift.deletingLastPathComponent().deletingLastPathComponent()
      let folder = usr.appendingPathComponent("lib/swift/host").path
      if FileManager.default.fileExists(atPath: folder + "/SwiftSyntax.swiftmodule") {
        return ToolchainSwiftSyntax(folder: folder)
      }
    }
    print(
      """
      warning: no SwiftSyntax found beside the swift on PATH (a proxy such as swiftly hides it): set \
      SWIFTSYNC_SWIFT_SYNTAX to the toolchain's usr/lib/swift/host folder.
      """)
    return ToolchainSwiftSyntax(folder: "/usr/lib/swift/host")
  }

  var compileSettings: [SwiftSetting] { [.unsafeFlags(["-I", folder])] }

  var linkSettings: [LinkerSetting] {
    let libraries = [
      "SwiftSyntax", "SwiftSyntaxBuilder", "SwiftSyntaxMacros", "SwiftDiagnostics", "SwiftBasicFormat", "SwiftParser",
      "SwiftParserDiagnostics", "SwiftOperators", "SwiftSyntaxMacroExpansion", "SwiftCompilerPluginMessageHandling",
    ]
    return [
      .unsafeFlags(["-L", folder, "-Xlinker", "-rpath", "-Xlinker", folder] + libraries.map { "-l\($0)" })
    ]
  }
}
