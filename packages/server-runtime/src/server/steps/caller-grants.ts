import { needsGrants, type Grants } from "../access/grants.js";
import type { Awaitable } from "../handlers.js";
import type { OperationPlan } from "../operation-plan.js";
import type { BaseServerOptions } from "../options.js";
import type { ServerContext } from "../server-context.js";
import type { RequestEvaluation } from "./request-evaluation.js";

/** The caller's grants. Loads them once a request. */
export function loadGrants(
  evaluation: RequestEvaluation,
  { grants: load }: Pick<BaseServerOptions, "grants">,
): Awaitable<Grants> {
  const { caller, handlerContext } = evaluation;
  if (load === undefined || caller === undefined)
    throw new TypeError("Missing option `grants`. Provide a function that returns the grants of a user.");
  return (evaluation.grants ??= load(caller, handlerContext));
}

/** The grants that may hide resources from the caller. Undefined if nothing can be hidden. */
export function loadHidingGrants(
  evaluation: RequestEvaluation,
  { grants }: Pick<OperationPlan, "grants">,
  { definition, options }: Pick<ServerContext, "definition" | "options">,
): Awaitable<Grants | undefined> {
  return needsGrants(evaluation.caller, definition.callers) && grants.some(({ kind }) => kind === "entity")
    ? loadGrants(evaluation, options)
    : undefined;
}
