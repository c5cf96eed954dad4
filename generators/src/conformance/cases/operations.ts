import type { Case } from "@plumbline/conformance-runtime";
import { type Operation, schemaParts, memoize } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../context/context.js";
import { responseRequirements } from "../context/response-requirements.js";
import { acceptedCall } from "../possible-cases.js";
import { documentedCases, hasSuccess } from "../requests/documented-statuses.js";
import { hasKnownPath, planRequest } from "../requests/request-plan.js";
import { visibilityCases } from "./access/visibility.js";
import { deprecationCases } from "./http/deprecation.js";
import { headerCases } from "./http/headers.js";
import { httpCases } from "./http/http.js";
import { existenceCases } from "./lifecycle/existence.js";
import { listCases } from "./lists/lists.js";

/** Cases of every operation: a valid request, its response, and invalid requests. */
export function baselineCases(context: ConformanceContext): readonly Case[] {
  return documentedCases(context, [
    ...context.api.operations.map((operation) => acceptsCase(context, operation)),
    ...existenceCases(context),
    ...headerCases(context),
    ...deprecationCases(context),
    ...visibilityCases(context),
    ...httpCases(context),
    ...listCases(context),
  ]);
}

/** A valid request succeeds, with the documented response. */
function acceptsCase(context: ConformanceContext, operation: Operation): Case {
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planRequest(context, operation, { objects: reads ? "shared" : "own" });
  return createCase(context, {
    operation,
    kind: "accepts",
    idParts: ["accepts"],
    title: `${operation.summary ?? operation.name}: a valid request gets the documented response`,
    requirements: [
      ...requirementIds(operation.sources),
      ...responseRequirements(context, operation),
      ...sourcesOfBody(context, operation),
      ...(tagRequirements(context.api).get(operation) ?? []),
    ],
    requires: plan.requires,
    exclusive: plan.exclusive,
    readOnly: reads && plan.setupSteps.length === 0 && plan.call.by === undefined,
    steps: [
      ...plan.setupSteps,
      acceptedCall(
        context,
        plan,
        hasSuccess(operation) && !hasKnownPath(context, operation) ? { needsObject: true } : {},
      ),
    ],
  });
}

/** The requirements of the body itself. Each field has cases of its own. */
function sourcesOfBody({ api }: ConformanceContext, { requestBody }: Operation): readonly string[] {
  const schemas = (requestBody?.contents ?? []).flatMap(({ schema }) => schemaParts(api, schema));
  return [...requirementIds(requestBody?.sources), ...schemas.flatMap(({ sources }) => requirementIds(sources))];
}

/** The requirements of an area, tested by its first operation. */
const tagRequirements = memoize((api) => {
  const byOperation = new Map<Operation, readonly string[]>();
  for (const { name, sources } of api.tags) {
    const first = api.operations.find(({ tag }) => tag === name);
    if (first !== undefined) byOperation.set(first, requirementIds(sources));
  }
  return byOperation;
});
