import type { OperationErrors } from "../errors/operation-errors.js";
import type { StepName } from "../observe/observe.js";
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
import { observedSteps } from "./observed-steps.js";
import { loadRouteTarget, lookupPath, lookupSingleton } from "./path-resources.js";
import { countEarlyRates, countLateRates } from "./rates.js";
import { checkOutcome, checkResponse, reserveResponse, formatResponse } from "./response.js";
import { checkScopes } from "./scopes.js";
import type { Step, StepFactory } from "./step.js";

/** The order of a request, once `route.ts` and `method.ts` have found its operation. */
export const beforeTransaction: readonly StepFactory[] = [
  authenticate,
  checkScopes,
  countEarlyRates,
  requireHandler,
  decodeRequest,
  countLateRates,
  reserveResponse,
];

export const inTransaction: readonly StepFactory[] = [
  authenticateAgain,
  loadRouteTarget,
  checkOperationGrants,
  lookupPath,
  lookupSingleton,
  validateStoredContent,
  checkPathGrants,
  lookupBody,
  checkBodyGrants,
  setValues,
  checkMutability,
  checkMergedObject,
  checkScopeCeilings,
  checkConditions,
  checkOwnership,
  checkStates,
  checkUniqueLimits,
  checkConcurrencyLimits,
  findListScope,
  addRowsToInput,
  runHandler,
  formatResponse,
  checkResponse,
  checkOutcome,
];

/** The steps by the names under which observers know them: those of their files. */
export const namedSteps: Readonly<Record<StepName, readonly StepFactory[]>> = {
  authentication: [authenticate, authenticateAgain],
  scopes: [checkScopes],
  rates: [countEarlyRates, countLateRates],
  decoding: [decodeRequest, validateStoredContent],
  "path-resources": [loadRouteTarget, lookupPath, lookupSingleton],
  grants: [checkOperationGrants, checkPathGrants, checkBodyGrants],
  "body-resources": [lookupBody],
  changes: [
    setValues,
    checkMutability,
    checkMergedObject,
    checkScopeCeilings,
    checkConditions,
    checkOwnership,
    checkStates,
  ],
  limits: [checkUniqueLimits, checkConcurrencyLimits],
  handler: [requireHandler, findListScope, addRowsToInput, runHandler],
  response: [reserveResponse, formatResponse, checkResponse, checkOutcome],
};

const stepNames = Object.keys(namedSteps) as StepName[];

function stepNameOf(factory: StepFactory): StepName {
  return stepNames.find((name) => namedSteps[name].includes(factory)) ?? "handler";
}

/** The steps that one operation needs. */
export interface OperationSteps {
  readonly beforeTransaction: readonly Step[];
  /** A transaction may retry them. */
  readonly inTransaction: readonly Step[];
}

/** Compiles the steps of an operation, without those that it does not need. */
export function compileSteps(plan: OperationPlan, server: ServerContext, errors: OperationErrors): OperationSteps {
  const compile = (factories: readonly StepFactory[]): readonly Step[] => {
    const steps = factories.flatMap((factory) => {
      const step = factory(plan, server, errors);
      return step === undefined ? [] : [{ name: stepNameOf(factory), step }];
    });
    return [server.options.observe ?? []].flat().length === 0 ? steps.map(({ step }) => step) : observedSteps(steps);
  };
  return { beforeTransaction: compile(beforeTransaction), inTransaction: compile(inTransaction) };
}
