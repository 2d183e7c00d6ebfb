@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// The compiler plugin: a program that the compiler starts and talks to over standard input and output.
///
/// `SwiftCompilerPlugin`, which usually provides this entry point, is not part of the toolchain, so the few lines that
/// it consists of are written out here.
@main
struct Plugin {
  static func main() throws {
    let connection = try StandardIOMessageConnection()
    try CompilerPluginMessageListener(connection: connection, provider: MacroProvider()).main()
  }
}

/// Finds the implementation of a macro by the name that `#externalMacro` gives.
private struct MacroProvider: PluginProvider {
  private let macros: [String: any Macro.Type] = [
    "AttributeMacro": AttributeMacro.self,
    "IndexMacro": IndexMacro.self,
    "ModelActorMacro": ModelActorMacro.self,
    "ModelMacro": ModelMacro.self,
    "NotExportMacro": NotExportMacro.self,
    "PersistedPropertyMacro": PersistedPropertyMacro.self,
    "PrimaryKeyMacro": PrimaryKeyMacro.self,
    "RelationshipMacro": RelationshipMacro.self,
    "RemoteKeyMacro": RemoteKeyMacro.self,
    "SyncableMacro": SyncableMacro.self,
    "TransientMacro": TransientMacro.self,
    "UniqueMacro": UniqueMacro.self,
  ]

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let macro = macros[typeName] else { throw UnknownMacro(module: moduleName, type: typeName) }
    return macro
  }
}

/// The library and the plugin were not built from the same sources.
private struct UnknownMacro: Error, CustomStringConvertible {
  let module: String
  let type: String

  var description: String { "the compiler plugin \(module) has no macro \(type)" }
}
