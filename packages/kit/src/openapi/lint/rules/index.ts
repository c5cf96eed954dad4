import type { LintRule } from "../rule.js";
import { circularSchemasRule } from "./circular.js";
import { conditionFieldsRule, conditionSchemasRule } from "./conditions.js";
import { deprecationRule } from "./operations/deprecation.js";
import { discriminatorsRule } from "./discriminators.js";
import { durationsRule } from "./durations.js";
import { effectsRule } from "./effects.js";
import { errorCauses } from "./error-causes.js";
import { errorEntriesRule, errorFieldsRule, errorIdsRule, errorResponsesRule } from "./errors.js";
import { expressionsRule } from "./expressions.js";
import { misplacedExtensionsRule, extensionSchemasRule, unknownExtensionsRule } from "./extensions.js";
import { limitEffectsRule, limitFieldsRule, limitKeysRule, limitsRule } from "./limits.js";
import { paginationRule } from "./operations/pagination.js";
import { boundedStringsRule, patternsRule } from "./patterns.js";
import { referencedFieldsRule, referencesRule } from "./references.js";
import { scopeLevelsRule, sameTokens, scopesRule } from "./scopes.js";
import { sourcesRule, missingSourcesRule } from "./sources.js";
import { stateMachinesRule } from "./states.js";
import { nullableReferencesRule, statusesRule } from "./structure.js";
import {
  unsupportedConstructsRule,
  unsupportedItemsRule,
  unsupportedContentsRule,
  unsupportedEncodingsRule,
  unsupportedKeywordsRule,
  unsupportedSecurityRule,
  unsupportedServersRule,
  untestedBoundsRule,
} from "./unsupported.js";

/** All rules of Plumbline. */
export const lintRules: readonly LintRule[] = [
  unknownExtensionsRule,
  extensionSchemasRule,
  misplacedExtensionsRule,
  durationsRule,
  expressionsRule,
  conditionSchemasRule,
  conditionFieldsRule,
  referencesRule,
  referencedFieldsRule,
  limitsRule,
  limitFieldsRule,
  limitKeysRule,
  limitEffectsRule,
  stateMachinesRule,
  statusesRule,
  scopesRule,
  scopeLevelsRule,
  sameTokens,
  errorIdsRule,
  errorEntriesRule,
  errorFieldsRule,
  errorResponsesRule,
  errorCauses,
  effectsRule,
  nullableReferencesRule,
  patternsRule,
  boundedStringsRule,
  paginationRule,
  deprecationRule,
  sourcesRule,
  missingSourcesRule,
  circularSchemasRule,
  discriminatorsRule,
  unsupportedConstructsRule,
  unsupportedItemsRule,
  unsupportedContentsRule,
  unsupportedEncodingsRule,
  unsupportedKeywordsRule,
  unsupportedSecurityRule,
  unsupportedServersRule,
  untestedBoundsRule,
];
