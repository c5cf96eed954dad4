import type { InputGroups } from "../../http/index.js";
import { isHidden } from "../access/hidden-resources.js";
import { isInScope } from "../access/reference-scope.js";
import { andThen, firstInTurn } from "../request/in-turn.js";
import { ownEntry } from "../server-definition.js";
import { loadHidingGrants } from "./caller-grants.js";
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
  return (evaluation) => {
    const { caller, refs } = evaluation;
    const { resources } = definition;
    return andThen(loadHidingGrants(evaluation, plan, { definition, options }), (grants) =>
      firstInTurn(pathReferences, (reference) => {
        const { to, by, parameter, onNotFound } = reference;
        const id = (evaluation.input["path"] as InputGroups | undefined)?.[parameter];
        return andThen(refs.chainsOf(to, by, [id]), ([chain]) => {
          if (chain === undefined || !isInScope(reference, chain, { caller, refs, registry }))
            throw errors.notFound(onNotFound);
          refs.setParameter(parameter, chain);
          if (target?.parameter === parameter) evaluation.target = chain[0]?.row;
          if (isHidden(reference, chain, { facts: evaluation, grants, resources })) throw errors.notFound(onNotFound);
          return undefined;
        });
      }),
    );
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
