export { parsePattern } from "./parse-pattern.js";
export { patternSamples, repetitionTexts, type TextBounds } from "./pattern-samples.js";
