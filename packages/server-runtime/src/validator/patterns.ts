/** Matches patterns with which a text could make `RegExp` slow. Generated code imports it where a description has such a pattern. */
export { type PatternMatcher, boundedPattern, isLinearPattern, linearPattern } from "../http/patterns/index.js";
