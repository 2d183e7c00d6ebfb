// Code written for SwiftData imports SwiftData alone and has these with it.
@_exported import Foundation
@_exported import Observation
