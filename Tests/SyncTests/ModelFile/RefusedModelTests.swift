import Foundation
import Testing

@testable import Sync

@Suite("CD-9.3 Model files that are refused")
struct RefusedModelTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let text: String
    let message: String

    var testDescription: String { message }
  }

  private static func entity(_ content: String) -> String {
    modelFile("<entity name=\"A\">\n    \(content)\n</entity>")
  }

  private static let cases = [
    // What is no XML is told by libxml2, whose words may change. Where it isn't, and what is looked for, may not.
    Case(text: "", message: "contents:1:1: This is no XML"),
    Case(text: "{\"model\": 1}", message: "contents:1:1: This is no XML"),
    Case(text: "<model><entity name=\"A\"></model>", message: "contents:1:33: This is no XML"),
    Case(text: "<model>\n <entity", message: "contents:2:9: This is no XML"),
    Case(text: "<model a=\"1\" a=\"2\"/>", message: "contents:1:19: This is no XML"),
    Case(text: "<model a=1/>", message: "contents:1:10: This is no XML"),
    Case(text: "<model a=\"&nbsp;\"/>", message: "nbsp"),
    Case(text: "<model a=\"&#xD800;\"/>", message: "contents:1:19: This is no XML"),
    Case(text: "<model a=\"&#99999999999;\"/>", message: "contents:1:25: This is no XML"),
    Case(text: "<model/><model/>", message: "contents:1:9: This is no XML"),
    Case(text: "<model>", message: "contents:1:8: This is no XML"),
    Case(text: "<!-- <model/>", message: "contents:1:14: This is no XML"),
    Case(
      text: "<plist/>", message: "contents:1:1: The outermost element is plist, and that of a model is called model."),
    Case(text: modelFile("<entity/>"), message: "contents:3:1: The entity has no name."),
    Case(text: entity("<attribute attributeType=\"Date\"/>"), message: "contents:4:5: The attribute has no name."),
    Case(text: entity("<attribute name=\"a\"/>"), message: "contents:4:5: The attribute has no attributeType."),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Integer16\"/>"),
      message: "The attributeType of the attribute a is \"Integer16\", and should be one of Integer 16, Integer 32"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Undefined\"/>"), message: "is \"Undefined\", and should be"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Object ID\"/>"), message: "is \"Object ID\", and should be"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Composite\"/>"), message: "is \"Composite\", and should be"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"40000\"/>"),
      message: "The defaultValueString of the attribute a is \"40000\", and should be of the type Integer 16."),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Boolean\" defaultValueString=\"perhaps\"/>"),
      message: "should be of the type Boolean"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"soon\"/>"),
      message: "should be a number of seconds since 2001"),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Binary\" defaultValueString=\"x\"/>"),
      message: "should be left out for the type Binary"),
    Case(
      text: entity("<attribute name=\"a\" optional=\"true\" attributeType=\"Date\"/>"),
      message: "The optional of the attribute a is \"true\", and should be YES or NO."),
    Case(
      text: entity("<attribute name=\"a\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now()\"/>"),
      message: "The attribute a is derived from now(), which is not kept up to date here"),
    Case(text: entity("<relationship name=\"r\"/>"), message: "The relationship has no destinationEntity."),
    Case(
      text: entity("<relationship name=\"r\" destinationEntity=\"A\" deletionRule=\"Forget\"/>"),
      message:
        "The deletionRule of the relationship r is \"Forget\", and should be one of Nullify, Cascade, Deny, No Action."),
    Case(
      text: entity("<relationship name=\"r\" destinationEntity=\"A\" toMany=\"YES\" minCount=\"-1\"/>"),
      message: "should be a number of objects"),
    Case(
      text: entity("<relationship name=\"r\" destinationEntity=\"A\" transient=\"YES\"/>"),
      message: "The relationship r is transient; only attributes can be."),
    Case(
      text: entity(
        "<uniquenessConstraints><uniquenessConstraint><constraint/></uniquenessConstraint></uniquenessConstraints>"),
      message: "The constraint has no value."),
    Case(
      text: entity(
        "<attribute name=\"a\" attributeType=\"Date\"><userInfo><entry value=\"1\"/></userInfo></attribute>"),
      message: "The entry has no key."),
    Case(
      text: "<!DOCTYPE model [<!ENTITY a \"b\">]><model/>", message: "a document type is declared"),
    Case(
      text: modelFile(String(repeating: "<a>", count: 100) + String(repeating: "</a>", count: 100)),
      message: "elements are nested deeper than 64 levels"),
  ]

  @Test("CD-9.3 A refusal says where and why", arguments: cases)
  func refusals(_ sample: Case) {
    do {
      let read = try ManagedObjectModel(xml: Data(sample.text.utf8), path: "M.xcdatamodel/contents")
      Issue.record("\(read.entities.map(\.name)) was read")
    } catch let error as ModelFileError {
      #expect("\(error)".localizedCaseInsensitiveContains(sample.message), "\(error)")
      #expect("\(error)".hasPrefix("M.xcdatamodel/contents:"))
    } catch {
      Issue.record(error)
    }
  }
}
