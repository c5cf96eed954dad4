import type { CallStep, Case, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import type { Failure, Limit, Operation, Resource } from "../model/api.js";
import { fieldAt } from "../model/fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { planOf, type Plan } from "./plans.js";
import { recipesOf } from "./recipes.js";
import { failing, successesOf } from "./failing.js";
import { failureOf } from "./refused.js";
import { limitsIn } from "./stated-limits.js";
import { bodyShape, ownParameter } from "./standing.js";

/** Cases of unique values: a duplicate is rejected on creation and update, and accepted outside of the scope. */
export function uniqueCases(context: Context): readonly Case[] {
  return [
    ...context.api.resources.flatMap((resource) => resourceCases(context, resource)),
    ...context.api.operations.flatMap((operation) => arrayCases(context, operation)),
  ];
}

// Unique among objects

function resourceCases(context: Context, resource: Resource): readonly Case[] {
  const limits = context.shapes.get(resource.name)?.limits ?? [];
  return limits.flatMap((limit) => {
    const { kind, by: fields = [], within, error } = limit;
    const [field] = fields;
    if (kind !== "unique" || within === "array" || fields.length !== 1 || field === undefined) return [];
    if (recipesOf(context)[resource.name] === undefined) return [];
    return context.api.operations.flatMap((operation) => {
      const failure = failureOf(context, operation, error);
      const body = bodyShape(operation);
      if (failure === undefined || body === undefined || fieldAt(context.api, body, [field]) === undefined) return [];
      const plan = planOf(context, operation, { objects: "own" });
      const about = { context, resource, limit, field, operation, failure, plan };
      const changes = operation.method === "PUT" || operation.method === "PATCH";
      return changes ? changeCases(about) : makeCases(about);
    });
  });
}

interface About {
  readonly context: Context;
  readonly resource: Resource;
  readonly limit: Limit;
  readonly field: string;
  readonly operation: Operation;
  readonly failure: Failure;
  readonly plan: Plan;
}

function makeCases(about: About): readonly Case[] {
  const { resource, limit, field, operation, failure, plan } = about;
  const taken: Template = { $get: `first#/${field}` };
  const rejection = refusedWith(about, taken);
  const count = countOf(about);
  const before = plan.before;
  const first = firstOf(about);
  const isWide = limit.within === "platform";
  const gone = removal(about);
  return [
    caseAbout(about, "taken", `A second ${resource.name} with the same ${field} is rejected, and not created`, [
      ...before,
      first,
      ...count,
      rejection,
      ...unchanged(count),
    ]),
    caseAbout(about, "all-at-once", `Of ten concurrent requests with the same ${field} one is accepted`, [
      ...before,
      first,
      {
        // A unique value, the same for all requests.
        parallel: [withField(plan, field, { $text: ["race", taken] })],
        times: 10,
        outcomes: [
          { status: successesOf(operation), count: 1 },
          { status: failure.status, count: 9 },
        ],
      },
    ]),
    // With objects in the path, another account would have none of them.
    ...(before.length > 0
      ? []
      : [
          caseAbout(
            about,
            "elsewhere",
            `The same ${field} ${isWide ? "is rejected for" : "is accepted from"} another account`,
            [first, { ...(isWide ? rejection : withField(plan, field, taken)), by: "stranger" }],
          ),
        ]),
    ...(gone.length === 0
      ? []
      : [
          caseAbout(about, "free-again", `The ${field} of a deleted object can be used again`, [
            ...before,
            first,
            ...gone,
            withField(plan, field, taken),
          ]),
        ]),
  ];
}

function changeCases(about: About): readonly Case[] {
  const { context, resource, field, operation, plan } = about;
  const parameter = ownParameter(operation, resource.name);
  const own = parameter === undefined ? undefined : plan.names[parameter];
  if (own === undefined) return [];
  const read = context.operations.get(resource.read ?? "");
  const reading: readonly Step[] =
    read === undefined
      ? []
      : [
          {
            call: read.name,
            ...(plan.call.path === undefined ? {} : { path: plan.call.path }),
            expect: { status: 200, body: { properties: { [field]: { const: { $get: `${own}#/${field}` } } } } },
          },
        ];
  return [
    caseAbout(about, "taken", `${resource.name} cannot get the ${field} of another one, and keeps its own`, [
      ...plan.before,
      firstOf(about),
      refusedWith(about, { $get: `first#/${field}` }),
      ...reading,
    ]),
    caseAbout(about, "own", `${resource.name} can be updated with its own ${field}`, [
      ...plan.before,
      withField(plan, field, { $get: `${own}#/${field}` }),
      ...reading,
    ]),
  ];
}

/** An existing object with the value. */
function firstOf({ resource, plan }: About): MakeStep {
  const of = Object.fromEntries(
    plan.before.flatMap((step) =>
      "make" in step && step.make !== resource.name ? [[step.make, { $get: step.as }] as const] : [],
    ),
  );
  return { make: resource.name, as: "first", ...(Object.keys(of).length === 0 ? {} : { of }), fresh: true };
}

function refusedWith({ plan, field, failure }: About, value: Template): CallStep {
  return { ...withField(plan, field, value), expect: failing(failure, field) };
}

function withField(plan: Plan, field: string, value: Template): CallStep {
  return { ...plan.call, body: { $merge: [plan.call.body ?? {}, { [field]: value }] } };
}

/** The number of objects, bound to `counted`. */
function countOf({ context, resource }: About): readonly CallStep[] {
  const list = context.operations.get(resource.list ?? "");
  if (list?.pagination === undefined || list.path.includes("{")) return [];
  return [{ call: list.name, as: "counted", given: true }];
}

/** Checks that the number of objects is unchanged. */
function unchanged([count]: readonly CallStep[]): readonly Step[] {
  if (count === undefined) return [];
  return [
    { ...count, as: "recounted" },
    {
      check: { $get: "recounted#/body" },
      matches: { const: { $get: "counted#/body" } },
      message: "The list has changed since before the rejected request.",
    },
  ];
}

function removal({ context, resource }: About): readonly Step[] {
  const remove = context.operations.get(resource.delete ?? "");
  const parameters = remove?.parameters.filter((each) => each.in === "path") ?? [];
  const [own] = parameters;
  if (remove === undefined || own === undefined || parameters.length !== 1) return [];
  return [
    { call: remove.name, path: { [own.name]: { $get: `first#/${own.reference?.by ?? "id"}` } }, given: true },
    { settle: true },
  ];
}

function caseAbout(
  { context, limit, operation, plan }: About,
  what: string,
  title: string,
  steps: readonly Step[],
): Case {
  return caseOf(context, {
    operation,
    kind: "limits",
    about: ["limits", limit.id, what],
    title,
    requirements: requirementsOf(limit.sources),
    needs: plan.needs,
    alone: plan.alone,
    steps,
  });
}

// Unique within an array

function arrayCases(context: Context, operation: Operation): readonly Case[] {
  const body = bodyShape(operation);
  if (body === undefined) return [];
  return limitsIn(context.api, body).flatMap(({ limit, pointer }) => {
    const { kind, by = [], within, error, id } = limit;
    const [field] = by;
    const [name] = pointer;
    const failure = failureOf(context, operation, error);
    if (kind !== "unique" || within !== "array" || failure === undefined || pointer.length !== 1) return [];
    const plan = planOf(context, operation, { objects: "own" });
    const sent = plan.call.body;
    const items = isRecord(sent) && name !== undefined ? sent[name] : undefined;
    if (field === undefined || name === undefined || !Array.isArray(items) || items.length < 2) return [];
    const [first, second, ...rest]: readonly Template[] = items;
    if (!isRecord(first) || !isRecord(second)) return [];
    const repeated = { ...second, [field]: first[field] ?? null };
    const call = { ...plan.call, body: { $merge: [sent ?? {}, { [name]: [first, repeated, ...rest] }] } };
    return [
      caseOf(context, {
        operation,
        kind: "limits",
        about: ["limits", id, "repeated"],
        title: `Two items of ${name} cannot have the same ${field}`,
        requirements: requirementsOf(limit.sources),
        needs: plan.needs,
        alone: plan.alone,
        steps: [...plan.before, { ...call, expect: failing(failure, name) }],
      }),
    ];
  });
}

function isRecord(value: Template | undefined): value is { readonly [key: string]: Template } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
