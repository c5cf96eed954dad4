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

/** What every operation promises: that it can be called, what it answers with, and what it makes of requests that are none. */
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

/** Each operation, called as it should be: it succeeds, and answers what is described. */
function acceptsCase(context: Context, operation: Operation): Case {
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planOf(context, operation, { objects: reads ? "shared" : "own" });
  return caseOf(context, {
    operation,
    kind: "accepts",
    about: ["accepts"],
    title: `${operation.summary ?? operation.name}: a fitting request is answered as described`,
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

/** Whether a success is documented; of some operations nothing but failures are. */
function hasSuccess({ replies }: Operation): boolean {
  return replies.some(({ status }) => status === "default" || String(status).startsWith("2"));
}

/** What is said of the body as a whole; each field has cases of its own. */
function sourcesOfBody({ api }: Context, { body }: Operation): readonly string[] {
  const shapes = (body?.contents ?? []).flatMap(({ shape }) => partsOf(api, shape));
  return [...requirementsOf(body?.sources), ...shapes.flatMap(({ sources }) => requirementsOf(sources))];
}

/** Statuses that a request of the right form may be answered with. */
function documented({ replies }: Operation): readonly number[] {
  const stated = replies.flatMap(({ status }) => (typeof status === "number" && status < 500 ? [status] : []));
  const other = replies.some(({ status }) => status === "default" || status === "4XX");
  return [...new Set([...stated, ...(other ? [400, 404] : []), 200])].filter(
    (status) => other || stated.includes(status),
  );
}

/** What is said of a whole area, which the first operation of it stands for. */
const ofAreas = once((api) => {
  const found = new Map<Operation, readonly string[]>();
  for (const { name, sources } of api.areas) {
    const first = api.operations.find(({ area }) => area === name);
    if (first !== undefined) found.set(first, requirementsOf(sources));
  }
  return found;
});
