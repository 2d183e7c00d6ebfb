#pragma once

/// Retains an object unless it has begun to be destroyed: what loading a weak reference does. Its memory must be kept by an
/// unowned reference.
///
/// A function of the Swift runtime library, which has no name in the language.
///
/// Returns the object, retained, or null.
void *_Nullable swift_tryRetain(void *_Nonnull object);
