import Foundation

/// A file of the page. They are part of the program, so that no path leads to any other file.
struct PageFile {
  let type: String
  let contents: Data

  /// The file at a path; nil if the page has none there.
  init?(path: String) {
    guard let bytes = Self.contents(path) else { return nil }
    contents = Data(bytes)
    let kinds = ["js": "javascript", "css": "css"]
    type = "text/\(kinds[String(path.split(separator: ".").last ?? "")] ?? "html"); charset=utf-8"
  }

  private static func contents(_ path: String) -> [UInt8]? {
    switch path {
    case "": PackageResources.page_html
    case "page.css": PackageResources.page_css
    case "elements.js": PackageResources.elements_js
    case "values.js": PackageResources.values_js
    case "table.js": PackageResources.table_js
    case "row.js": PackageResources.row_js
    case "schema.js": PackageResources.schema_js
    case "figures.js": PackageResources.figures_js
    case "page.js": PackageResources.page_js
    default: nil
    }
  }
}
