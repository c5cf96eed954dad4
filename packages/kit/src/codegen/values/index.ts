export {
  evaluateSchema,
  isKnownList,
  isKnownObject,
  type PartialValue,
  type SchemaViolation,
  unknownValue,
} from "./evaluate-schema.js";
export { type FormatSamples, formatSamples } from "./formats.js";
export { type SampleOptions, sampleSchema } from "./sample-schema.js";
export { intersectSchemas, type Sample } from "./sample-source.js";
export { unconditionalParts } from "./schema-forms.js";
