import type { Rule } from "../rule.js";
import { circularSchemas } from "./circular.js";
import { conditionFields, conditionSchemas } from "./conditions.js";
import { discriminators } from "./discriminators.js";
import { durations } from "./durations.js";
import { effects } from "./effects.js";
import { errorCauses } from "./error-causes.js";
import { errorEntries, errorFields, errorIds, errorReplies } from "./errors.js";
import { expressions } from "./expressions.js";
import { extensionPlaces, extensionShapes, unknownExtensions } from "./extensions.js";
import { limitEffects, limitFields, limits } from "./limits.js";
import { pagination } from "./pagination.js";
import { boundedStrings, patterns } from "./patterns.js";
import { referencedFields, references } from "./references.js";
import { levels, sameTokens, scopes } from "./scopes.js";
import { sources, sourcesEverywhere } from "./sources.js";
import { stateMachines } from "./states.js";
import {
  unsupportedConstructs,
  unsupportedContents,
  unsupportedEncodings,
  unsupportedKeywords,
  unsupportedSecurity,
  unsupportedServers,
} from "./unsupported.js";

/** All rules of Plumbline. */
export const rules: readonly Rule[] = [
  unknownExtensions,
  extensionShapes,
  extensionPlaces,
  durations,
  expressions,
  conditionSchemas,
  conditionFields,
  references,
  referencedFields,
  limits,
  limitFields,
  limitEffects,
  stateMachines,
  scopes,
  levels,
  sameTokens,
  errorIds,
  errorEntries,
  errorFields,
  errorReplies,
  errorCauses,
  effects,
  patterns,
  boundedStrings,
  pagination,
  sources,
  sourcesEverywhere,
  circularSchemas,
  discriminators,
  unsupportedConstructs,
  unsupportedContents,
  unsupportedEncodings,
  unsupportedKeywords,
  unsupportedSecurity,
  unsupportedServers,
];
