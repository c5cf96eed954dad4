import type { Source } from "@redocly/openapi-core";
import type { Code } from "./codes.js";
import type { Requirements } from "./requirements.js";
import type { Survey } from "./survey.js";

/** A finding of a rule, with its location. */
export interface Finding {
  readonly code: Code;
  readonly at: { readonly location: { readonly source: Source; readonly pointer: string } };
  readonly message: string;
  readonly fix?: string;
}

/** A rule, or a group of related rules, for a complete description. */
export type Rule = (survey: Survey, settings: Settings) => Iterable<Finding>;

export interface Settings {
  readonly profile: "owner" | "foreign";
  /** The requirements that sources refer to. Without them, sources are not checked. */
  readonly requirements?: Requirements;
}
