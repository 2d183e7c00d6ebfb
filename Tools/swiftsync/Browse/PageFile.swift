import Foundation

/// A file of the page. They are part of the program, so that no path leads to any other file.
enum PageFile {
  case document, styles, script

  init?(path: String) {
    switch path {
    case "": self = .document
    case "page.css": self = .styles
    case "page.js": self = .script
    default: return nil
    }
  }

  var type: String {
    switch self {
    case .document: "text/html; charset=utf-8"
    case .styles: "text/css; charset=utf-8"
    case .script: "text/javascript; charset=utf-8"
    }
  }

  var contents: Data {
    switch self {
    case .document: Data(PackageResources.page_html)
    case .styles: Data(PackageResources.page_css)
    case .script: Data(PackageResources.page_js)
    }
  }
}
