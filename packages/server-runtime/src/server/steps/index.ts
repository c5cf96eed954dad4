import type { OperationErrors } from "../errors/operation-errors.js";
import type { OperationPlan } from "../operation-plan.js";
import type { ServerContext } from "../server-context.js";
import { authenticate, authenticateAgain } from "./authentication.js";
import { lookupBody } from "./body-resources.js";
import {
  checkConditions,
  checkMergedObject,
  checkMutability,
  checkOwnership,
  checkScopeCeilings,
  checkStates,
  setValues,
} from "./changes.js";
import { decodeRequest, validateStoredContent } from "./decoding.js";
import { checkBodyGrants, checkOperationGrants, checkPathGrants } from "./grants.js";
import { addRowsToInput, findListScope, requireHandler, runHandler } from "./handler.js";
import { checkConcurrencyLimits, checkUniqueLimits } from "./limits.js";
import { loadRouteTarget, lookupPath, lookupSingleton } from "./path-resources.js";
import { countEarlyRates, countLateRates } from "./rates.js";
import { checkOutcome, checkResponse, reserveResponse, formatResponse } from "./response.js";
import { checkScopes } from "./scopes.js";
import type { Step, StepFactory } from "./step.js";

/*
 * The order of a request, with the numbers of the table in the README. Steps 1 (route.ts) and 2 (method.ts) find the operation;
 * the others follow here.
 */

export const beforeTransaction: readonly StepFactory[] = [
  /* 3 */ authenticate,
  /* 4 */ checkScopes,
  /* 5 */ countEarlyRates,
  /* 12 */ requireHandler,
  /* 6 */ decodeRequest,
  /* 5 */ countLateRates,
  /* 13 */ reserveResponse,
];

export const inTransaction: readonly StepFactory[] = [
  /* 3, 4 */ authenticateAgain,
  /* 7 */ loadRouteTarget,
  /* 7, 8 */ checkOperationGrants,
  /* 7 */ lookupPath,
  /* 7 */ lookupSingleton,
  /* 6 */ validateStoredContent,
  /* 8 */ checkPathGrants,
  /* 9 */ lookupBody,
  /* 8 */ checkBodyGrants,
  /* 10 */ setValues,
  /* 10 */ checkMutability,
  /* 10 */ checkMergedObject,
  /* 10 */ checkScopeCeilings,
  /* 10 */ checkConditions,
  /* 10 */ checkOwnership,
  /* 10 */ checkStates,
  /* 11 */ checkUniqueLimits,
  /* 11 */ checkConcurrencyLimits,
  /* 12 */ findListScope,
  /* 12 */ addRowsToInput,
  /* 12 */ runHandler,
  /* 13 */ formatResponse,
  /* 13 */ checkResponse,
  /* 13 */ checkOutcome,
];

/** The steps that one operation needs. */
export interface OperationSteps {
  readonly beforeTransaction: readonly Step[];
  /** A transaction may retry them. */
  readonly inTransaction: readonly Step[];
}

/** Compiles the steps of an operation, without those that it does not need. */
export function compileSteps(plan: OperationPlan, server: ServerContext, errors: OperationErrors): OperationSteps {
  const compile = (factories: readonly StepFactory[]): readonly Step[] =>
    factories.flatMap((factory) => factory(plan, server, errors) ?? []);
  return { beforeTransaction: compile(beforeTransaction), inTransaction: compile(inTransaction) };
}
