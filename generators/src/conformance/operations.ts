import type { Case } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { once } from "../model/once.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { existenceCases } from "./existence.js";
import { headerCases } from "./headers.js";
import { httpCases } from "./http.js";
import { listCases } from "./lists.js";
import { expecting, isCertain, planOf } from "./plans.js";
import { describedOnly } from "./refused.js";
import { sourcesOfReply } from "./replies.js";
import { visibleCases } from "./visible.js";

/** Cases of every operation: a valid request, its response, and invalid requests. */
export function operationCases(context: Context): readonly Case[] {
  return describedOnly(context, [
    ...context.api.operations.map((operation) => acceptsCase(context, operation)),
    ...existenceCases(context),
    ...headerCases(context),
    ...visibleCases(context),
    ...httpCases(context),
    ...listCases(context),
  ]);
}

/** A valid request succeeds, with the documented response. */
function acceptsCase(context: Context, operation: Operation): Case {
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planOf(context, operation, { objects: reads ? "shared" : "own" });
  return caseOf(context, {
    operation,
    kind: "accepts",
    about: ["accepts"],
    title: `${operation.summary ?? operation.name}: a valid request gets the documented response`,
    requirements: [
      ...requirementsOf(operation.sources),
      ...sourcesOfReply(context, operation),
      ...sourcesOfBody(context, operation),
      ...(ofAreas(context.api).get(operation) ?? []),
    ],
    needs: plan.needs,
    alone: plan.alone,
    safe: reads && plan.before.length === 0 && plan.call.by === undefined,
    steps: [
      ...plan.before,
      isCertain(context, operation) && hasSuccess(operation)
        ? plan.call
        : expecting(plan, { status: documented(operation) }),
    ],
  });
}

/** True when a success is documented. Some operations document only errors. */
function hasSuccess({ replies }: Operation): boolean {
  return replies.some(({ status }) => status === "default" || String(status).startsWith("2"));
}

/** The requirements of the body itself. Each field has cases of its own. */
function sourcesOfBody({ api }: Context, { body }: Operation): readonly string[] {
  const shapes = (body?.contents ?? []).flatMap(({ shape }) => partsOf(api, shape));
  return [...requirementsOf(body?.sources), ...shapes.flatMap(({ sources }) => requirementsOf(sources))];
}

/** The statuses that a valid request may get. */
function documented({ replies }: Operation): readonly number[] {
  const stated = replies.flatMap(({ status }) => (typeof status === "number" && status < 500 ? [status] : []));
  const other = replies.some(({ status }) => status === "default" || status === "4XX");
  return [...new Set([...stated, ...(other ? [400, 404] : []), 200])].filter(
    (status) => other || stated.includes(status),
  );
}

/** The requirements of an area, tested by its first operation. */
const ofAreas = once((api) => {
  const found = new Map<Operation, readonly string[]>();
  for (const { name, sources } of api.areas) {
    const first = api.operations.find(({ area }) => area === name);
    if (first !== undefined) found.set(first, requirementsOf(sources));
  }
  return found;
});
