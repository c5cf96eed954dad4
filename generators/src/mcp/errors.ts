import type { ErrorDefinition } from "@plumbline/kit/model";
import type { DocumentedError } from "@plumbline/mcp-runtime";
import { firstSentences } from "./prose.js";

/** Converts documented errors to what the runtime explains them with. */
export function documentedErrors(errors: readonly ErrorDefinition[]): readonly DocumentedError[] {
  return errors.map(({ id, status, field, reasonContains, summary }) => ({
    id,
    status,
    ...(field === undefined ? {} : { field }),
    reasonContains,
    ...(summary === undefined ? {} : { meaning: firstSentences(summary, 300) }),
  }));
}
