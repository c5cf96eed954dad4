import { isObject, safeAssign, type InputGroups } from "../../http/index.js";
import { needsGrants } from "../access/grants.js";
import { listScopeOf } from "../access/list-scopes.js";
import { hasHandler, type Awaitable } from "../handlers.js";
import type { OperationPlan } from "../operation-plan.js";
import type { BaseServerOptions } from "../options.js";
import { andThen } from "../request/in-turn.js";
import type { RequestContext } from "../request/request-context.js";
import type { BodyRows } from "../resources/resource-cache.js";
import type { HandlerResponse } from "../response/responses.js";
import { ownEntry } from "../server-definition.js";
import { loadGrants } from "./caller-grants.js";
import type { StepFactory } from "./step.js";

/** Rejects requests for operations without a handler, before their bodies are read. */
export const requireHandler: StepFactory =
  ({ name }, { handlers }, errors) =>
  () => {
    if (!hasHandler(handlers, name)) throw errors.shared(501);
  };

/** Finds the part of a list that the caller may see. */
export const findListScope: StepFactory = ({ resources: { list } }, { definition, options }) => {
  if (list === undefined) return undefined;
  const resource = definition.resources[list] ?? { owner: [] };
  return (evaluation) => {
    const { caller } = evaluation;
    const load = needsGrants(caller, definition.callers) ? () => loadGrants(evaluation, options) : undefined;
    return andThen(listScopeOf(resource, caller, load), (listScope) => {
      evaluation.input["listScope"] = listScope;
    });
  };
};

/** Adds the loaded rows, and the body with its changes, to the handler's input. */
export const addRowsToInput: StepFactory = (plan, { options }) => {
  if (!mayAddRows(plan, options)) return undefined;
  const { bodyReferences, pathReferences } = plan;
  return (evaluation) => {
    const { input, refs: rows, target, body } = evaluation;
    if (body !== undefined) input["body"] = body;
    if (target !== undefined) input["target"] = target;
    if (pathReferences.length === 0 && bodyReferences.length === 0) return;
    const refs: InputGroups = {};
    for (const { parameter } of pathReferences) safeAssign(refs, parameter, rows.parameter(parameter)?.[0]);
    for (const reference of bodyReferences) {
      const referenced = rows.referenced(reference);
      safeAssign(refs, reference.name, reference.isMany ? rowsById(referenced) : referenced.chains[0]?.[0]?.row);
    }
    input["refs"] = refs;
  };
};

/** False if no step before loads a row or changes the body. */
function mayAddRows(
  { name, operation, pathReferences, bodyReferences, resources, values }: OperationPlan,
  { operationRoutes = {} }: BaseServerOptions,
): boolean {
  const contents = Object.values(operation.definition.body?.contents ?? {});
  return (
    pathReferences.length > 0 ||
    bodyReferences.length > 0 ||
    resources.target !== undefined ||
    values.length > 0 ||
    contents.some(({ stored }) => stored !== undefined) ||
    ownEntry(operationRoutes, name)?.target !== undefined
  );
}

function rowsById({ ids, chains }: BodyRows): ReadonlyMap<unknown, unknown> {
  return new Map(ids.map(({ id }, index) => [id, chains[index]?.[0]?.row] as const));
}

/** Runs the handler. */
export const runHandler: StepFactory = ({ name }, server) => {
  const handlers = server.handlers as Readonly<
    Record<string, (input: InputGroups, context: RequestContext) => Awaitable<HandlerResponse>>
  >;
  return (evaluation) =>
    andThen<unknown, void>(handlers[name]?.(evaluation.input, evaluation.handlerContext), (response) => {
      evaluation.response = response as HandlerResponse;
      evaluation.responseBody = isObject(response) ? response["body"] : undefined;
    });
};
