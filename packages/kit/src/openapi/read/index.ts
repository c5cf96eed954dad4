/** The files of descriptions, without what is made of them: small enough for commands that only find that nothing has changed. */
export { type Boundary, ensureInside, findRepository, isInside, sourceFolder } from "./boundary.js";
export { findNearest } from "./edit-distance.js";
export {
  areUnchanged,
  hashFiles,
  maxFileBytes,
  mergeInputs,
  type ParseCache,
  type RecordedInputs,
  recordInputs,
  recordMissingFile,
  sha256Hex,
} from "./recorded-inputs.js";
export { provideFile } from "./provided-files.js";
export { listFiles, readSource, readTextIfExists } from "./source.js";
export { isExtensionFieldName } from "../lint/vocabulary.js";
export { formatPointer, parsePointer, type SourceFile, SpecNode } from "./spec-node.js";
