/** Matches patterns of a description without a way for a text to make it slow. */
export { type PatternMatcher, boundedPattern, isLinearPattern, linearPattern } from "./linear-pattern.js";
