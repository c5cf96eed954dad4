import type { InputGroups } from "@plumbline/http-runtime";
import { loadHidingGrants } from "../access/caller-grants.js";
import { isHidden } from "../access/hidden-resources.js";
import { isPromiseLike } from "../handlers.js";
import { isInScope } from "../resources/reference-scope.js";
import { ownEntry } from "../server-definition.js";
import type { StepFactory } from "./step.js";

/** Loads what the path of an operation route names. The option `operationRoutes` gives such a path to an operation. */
export const loadRouteTarget: StepFactory = ({ name }, { options }, errors) => {
  const operationRoute = ownEntry(options.operationRoutes ?? {}, name);
  if (operationRoute === undefined) return undefined;
  return async (evaluation) => {
    const { route, values: segments } = evaluation.request.match;
    const values = Object.fromEntries(route.names.map((each, at) => [each, decodeSegment(segments[at] ?? "")]));
    evaluation.input["route"] = values;
    evaluation.target = (await operationRoute.target?.(values, evaluation.handlerContext)) ?? undefined;
    if (operationRoute.target !== undefined && evaluation.target === undefined) throw errors.shared(404);
  };
};

/**
 * Looks up the resources that the path names. The server responds with an error if one does not exist, is in another parent, or is not the
 * caller's.
 */
export const lookupPath: StepFactory = (plan, { definition, options, registry }, errors) => {
  const { pathReferences } = plan;
  const { target } = plan.resources;
  if (pathReferences.length === 0) return undefined;
  return async (evaluation) => {
    const { caller, refs } = evaluation;
    const hiding = loadHidingGrants(evaluation, plan, options);
    const grants = isPromiseLike(hiding) ? await hiding : hiding;
    for (const reference of pathReferences) {
      const id = (evaluation.input["path"] as InputGroups | undefined)?.[reference.parameter];
      const loaded = refs.load(reference.to, reference.by, [id]);
      const row = (isPromiseLike(loaded) ? await loaded : loaded).get(id);
      const chained = refs.chains(reference.to, row === undefined ? [] : [row]);
      const [chain] = isPromiseLike(chained) ? await chained : chained;
      if (row === undefined || chain === undefined || !isInScope(reference, chain, { caller, refs, registry }))
        throw errors.notFound(reference.onNotFound);
      refs.setParameter(reference.parameter, chain);
      if (target?.parameter === reference.parameter) evaluation.target = row;
      if (isHidden(reference, chain, { facts: evaluation, grants, resources: definition.resources }))
        throw errors.notFound(reference.onNotFound);
    }
  };
};

/** Looks up the resource of which each caller has one. */
export const lookupSingleton: StepFactory = ({ resources: { target } }, _server, errors) => {
  if (target === undefined || target.parameter !== undefined) return undefined;
  return async (evaluation) => {
    // The path of an operation route may have loaded it already.
    if (evaluation.target !== undefined) return;
    evaluation.target = (await evaluation.refs.loadOwn(target.resource)) ?? undefined;
    if (evaluation.target === undefined) throw errors.shared(404);
  };
};

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
