import type { Source } from "@redocly/openapi-core";
import type { Code } from "./codes.js";
import type { Requirements } from "./requirements.js";
import type { Survey } from "./survey.js";

/** What a rule says about a spot. */
export interface Finding {
  readonly code: Code;
  readonly at: { readonly location: { readonly source: Source; readonly pointer: string } };
  readonly message: string;
  readonly fix?: string;
}

/** A rule, or a close family of them: what it finds in a whole description. */
export type Rule = (survey: Survey, settings: Settings) => Iterable<Finding>;

export interface Settings {
  readonly profile: "owner" | "foreign";
  /** What the sources name; without them, sources are not judged. */
  readonly requirements?: Requirements;
}
