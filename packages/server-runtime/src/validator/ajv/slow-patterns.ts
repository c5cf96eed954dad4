import type { PatternMatcher } from "../patterns.js";
import type { AjvInstance } from "./ajv-instance.js";

/** Matches the patterns with which a text could make the engine of Ajv slow. */
export interface SlowPatterns {
  /** Lets an instance match them, too. */
  readonly install: (ajv: AjvInstance) => void;
  readonly find: (pattern: string) => PatternMatcher | undefined;
}

/** Matches patterns as compiled checks do. Generated code calls it where a description has such patterns. */
export function matchSlowPatterns(patterns: readonly PatternMatcher[]): SlowPatterns {
  const matchers = new Map(patterns.map((each) => [each.source, { ...each, toString: () => `/${each.source}/` }]));
  const find = (pattern: string): PatternMatcher | undefined => matchers.get(pattern);
  return {
    find,
    install: ({ opts: { code } }) => {
      const engine = code.regExp;
      code.regExp = Object.assign((pattern: string, flags: string) => find(pattern) ?? engine(pattern, flags), {
        code: engine.code,
      });
    },
  };
}
