import { api, type ApiCode } from "./codes/api.js";
import { behaviour, type BehaviourCode } from "./codes/behaviour.js";
import { operations, type OperationCode } from "./codes/operations.js";
import { replyShapes, type ReplyCode } from "./codes/reply-shapes.js";
import { requestShapes, type RequestCode } from "./codes/request-shapes.js";
import { resources, type ResourceCode } from "./codes/resources.js";
import { security, type SecurityCode } from "./codes/security.js";
import type { Rule } from "./difference.js";

export type Code = ApiCode | OperationCode | RequestCode | ReplyCode | SecurityCode | BehaviourCode | ResourceCode;

/** The rules by subject, as the documentation lists them. */
export const subjects: Readonly<Record<string, Readonly<Partial<Record<Code, Rule>>>>> = {
  "The API": api,
  "Operations, parameters, bodies and responses": operations,
  "Request schemas": requestShapes,
  "Response schemas": replyShapes,
  Security: security,
  Behavior: behaviour,
  "Resources and their states": resources,
};

/** The rule of every kind of difference, by its code. */
export const rules: Readonly<Record<Code, Rule>> = {
  ...api,
  ...operations,
  ...requestShapes,
  ...replyShapes,
  ...security,
  ...behaviour,
  ...resources,
};
