import type { DifferenceRule } from "./rule.js";
import { apiRules, type ApiRuleCode } from "./rules/api.js";
import { behaviourRules, type BehaviourRuleCode } from "./rules/behaviour.js";
import { operationRules, type OperationRuleCode } from "./rules/operations.js";
import { requestSchemaRules, type RequestSchemaRuleCode } from "./rules/request-schemas.js";
import { resourceRules, type ResourceRuleCode } from "./rules/resources.js";
import { responseSchemaRules, type ResponseSchemaRuleCode } from "./rules/response-schemas.js";
import { securityRules, type SecurityRuleCode } from "./rules/security.js";
import { sentRequestRules, type SentRequestRuleCode } from "./rules/sent-requests.js";

export type DifferenceCode =
  | ApiRuleCode
  | OperationRuleCode
  | SentRequestRuleCode
  | RequestSchemaRuleCode
  | ResponseSchemaRuleCode
  | SecurityRuleCode
  | BehaviourRuleCode
  | ResourceRuleCode;

/** The rules by subject, as the documentation lists them. */
export const rulesBySubject: Readonly<Record<string, Readonly<Partial<Record<DifferenceCode, DifferenceRule>>>>> = {
  "The API": apiRules,
  "Operations, parameters, bodies and responses": operationRules,
  "Webhooks and callbacks": sentRequestRules,
  "Request schemas": requestSchemaRules,
  "Response schemas": responseSchemaRules,
  Security: securityRules,
  Behavior: behaviourRules,
  "Resources and their states": resourceRules,
};

/** The rule of every kind of difference, by its code. */
export const differenceRules: Readonly<Record<DifferenceCode, DifferenceRule>> = {
  ...apiRules,
  ...operationRules,
  ...sentRequestRules,
  ...requestSchemaRules,
  ...responseSchemaRules,
  ...securityRules,
  ...behaviourRules,
  ...resourceRules,
};
