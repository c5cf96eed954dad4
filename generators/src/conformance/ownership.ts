import type { CallStep, Caller, Case, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { having } from "./effect-values.js";
import { jsonSchemaOf } from "./json-schema.js";
import { sharedNameCases } from "./names-shared.js";
import { given, planOf } from "./plans.js";
import { makingOf } from "./reference-bodies.js";
import { callOn, chainOf, namingOf, readOf, refusal, requirementsOfResource } from "./resource-paths.js";

/** Cases of ownership: own objects, objects of others, and public objects. */
export function ownershipCases(context: Context): readonly Case[] {
  const cases = context.api.resources.flatMap((resource) => [
    ...listedCases(context, resource),
    ...openCases(context, resource),
    ...publicCases(context, resource),
    ...singleCases(context, resource),
  ]);
  return [...cases, ...sharedNameCases(context)];
}

/** Lists have the caller's objects, and none of others. */
function listedCases(context: Context, resource: Resource): readonly Case[] {
  const list = context.operations.get(resource.list ?? "");
  const envelope = list?.pagination?.envelope;
  if (list === undefined || envelope === undefined || namingOf(list).length > 0) return [];
  const isUsers = resource.owner.includes("user");
  if (!isUsers && !resource.owner.includes("account")) return [];
  const makes = makingOf(context, { resource: resource.name, as: "theirs" });
  if (makes === undefined) return [];
  const call = callOn(list, {});
  if (call === undefined) return [];
  const isCredential = context.api.scopes?.credentials.some(({ to }) => to === resource.name) === true;
  const nothing: Template = { properties: { [envelope.total]: { const: 0 } }, required: [envelope.total] };
  const others: Template = having([envelope.items], {
    not: { contains: having(["id"], { const: { $get: "theirs#/id" } }) },
  });
  const open = resource.public;
  const seen: Template =
    open === undefined
      ? isCredential
        ? others
        : nothing
      : { allOf: [others, having([envelope.items], { items: jsonSchemaOf(open) as Template })] };
  return (["stranger", "colleague"] as const)
    .filter((who) => who === "stranger" || isUsers)
    .map((who) =>
      caseOf(context, {
        operation: list,
        kind: "resources",
        about: ["others", who],
        title: `${list.summary ?? list.name}: ${who === "stranger" ? "another account" : "another user"} sees none of it`,
        requirements: [...requirementsOfResource(context, resource), ...requirementsOf(list.sources)],
        steps: [
          ...makes,
          { actor: { account: who === "stranger" ? "other" : "own" }, as: "somebody" },
          { ...call, by: { user: "somebody" }, expect: { body: seen } },
        ],
      }),
    );
}

/** Objects of the platform are the same for every account. */
function openCases(context: Context, resource: Resource): readonly Case[] {
  const read = context.operations.get(resource.read ?? "");
  if (read === undefined || resource.owner.some((each) => each !== "platform") || resource.owner.length === 0)
    return [];
  const { makes, names } = chainOf(context, read);
  const call = callOn(read, names);
  if (call === undefined || makes.length === 0) return [];
  return [
    caseOf(context, {
      operation: read,
      kind: "resources",
      about: ["everybody"],
      title: `${read.summary ?? read.name}: every account reads the same`,
      requirements: [...requirementsOfResource(context, resource), ...requirementsOf(read.sources)],
      steps: [...makes, given({ ...call, as: "ours" }), { ...call, by: "stranger", expect: sameAs("ours") }],
    }),
  ];
}

function sameAs(name: string): Expect {
  return { body: { const: { $get: `${name}#/body` } } };
}

/** Every caller may read a public object; only its owner may change it. */
function publicCases(context: Context, resource: Resource): readonly Case[] {
  const list = context.operations.get(resource.list ?? "");
  const items = list?.pagination?.envelope.items;
  const listing = list && callOn(list, {});
  if (resource.public === undefined || list === undefined || items === undefined || listing === undefined) return [];
  if (resource.owner.every((each) => each === "platform")) return [];
  const open = `list#/body/${items}/0`;
  const found = jsonSchemaOf(resource.public) as Template;
  const step: Step = given({
    ...listing,
    as: "list",
    expect: { body: having([items], { prefixItems: [found], minItems: 1 }) },
  });
  const names = { [resource.name]: open };
  const read = readOf(context, resource, names);
  if (read === undefined) return [];
  const operations = context.api.operations.filter((each) => namingOf(each).at(-1)?.reference.to === resource.name);
  return operations.flatMap((operation) => {
    const call = callOn(operation, names);
    if (call === undefined) return [];
    const about = { operation, step, call };
    if (operation.name === resource.read)
      return readers(operation).map((by) => readCase(context, resource, { ...about, by }));
    return changeCase(context, resource, { ...about, read });
  });
}

interface Public {
  readonly operation: Operation;
  readonly step: Step;
  readonly call: CallStep;
}

function readers({ security }: Operation): readonly ("stranger" | "anonymous")[] {
  const isFree = security.length === 0 || security.some((each) => each.length === 0);
  return isFree ? ["stranger", "anonymous"] : ["stranger"];
}

function readCase(
  context: Context,
  resource: Resource,
  { operation, step, call, by }: Public & { readonly by: Caller & string },
): Case {
  return caseOf(context, {
    operation,
    kind: "resources",
    about: ["public", by],
    title: `${operation.summary ?? operation.name}: a public object is read by ${by === "stranger" ? "other accounts" : "anonymous callers"}`,
    requirements: [...requirementsOfResource(context, resource), ...requirementsOf(operation.sources)],
    steps: [step, given({ ...call, as: "ours" }), { ...call, by, expect: sameAs("ours") }],
  });
}

/** Rejected with the described error; without one with 403 or 404. */
function changeCase(
  context: Context,
  resource: Resource,
  { operation, step, call, read }: Public & { readonly read: CallStep },
): readonly Case[] {
  const described = operation.failures.find(({ when }) => when?.target !== undefined && isOpen(when.target, resource));
  const expect = described === undefined ? hidden(operation) : refusal(described, null);
  if (expect === undefined || operation.method === "GET") return [];
  const plan = planOf(context, operation, { objects: "shared" });
  const body = plan.call.body === undefined ? {} : { body: plan.call.body };
  return (["main", "stranger"] as const).map((by) =>
    caseOf(context, {
      operation,
      kind: "resources",
      about: ["public", by],
      title: `${operation.summary ?? operation.name}: a public object is not changed by ${by === "main" ? "a caller that may only read it" : "another account"}`,
      requirements: [
        ...requirementsOf(described?.sources),
        ...requirementsOfResource(context, resource),
        ...requirementsOf(operation.sources),
      ],
      steps: [
        step,
        given({ ...read, as: "before" }),
        { ...call, ...body, by, expect },
        { ...read, expect: sameAs("before") },
      ],
    }),
  );
}

function hidden({ replies }: Operation): Expect | undefined {
  const status = [403, 404].filter((each) => replies.some((reply) => reply.status === each));
  return status.length === 0 ? undefined : { status };
}

function isOpen(target: NonNullable<Resource["public"]>, { public: open }: Resource): boolean {
  return open !== undefined && JSON.stringify(jsonSchemaOf(target)) === JSON.stringify(jsonSchemaOf(open));
}

/** Singletons of users or of their clients: each has its own. */
function singleCases(context: Context, resource: Resource): readonly Case[] {
  const read = context.operations.get(resource.read ?? "");
  if (read === undefined || namingOf(read).length > 0 || !resource.owner.includes("user")) return [];
  const changes = context.api.operations.filter(
    (each) => each.path === read.path && (each.method === "PUT" || each.method === "PATCH"),
  );
  return changes.flatMap((operation) => [
    userCase(context, { resource, read, operation }),
    ...(resource.owner.includes("client") ? clientCases(context, { resource, read, operation }) : []),
  ]);
}

interface Single {
  readonly resource: Resource;
  readonly read: Operation;
  readonly operation: Operation;
}

function userCase(context: Context, { resource, read, operation }: Single): Case {
  const plan = planOf(context, operation, { objects: "own" });
  return caseOf(context, {
    operation,
    kind: "resources",
    about: ["others", "colleague"],
    title: `${operation.summary ?? operation.name}: a change of one user does not affect another`,
    requirements: [...requirementsOfResource(context, resource), ...requirementsOf(operation.sources)],
    needs: plan.needs,
    steps: [
      ...plan.before,
      { actor: { account: "own" }, as: "colleague" },
      given({ call: read.name, by: { user: "colleague" }, as: "before" }),
      plan.call,
      { call: read.name, by: { user: "colleague" }, expect: sameAs("before") },
    ],
  });
}

/** The recipe `client` of the settings creates a token for another client of the user. */
function clientCases(context: Context, { resource, read, operation }: Single): readonly Case[] {
  if (!Object.hasOwn(context.settings.recipes, "client")) return [];
  const plan = planOf(context, operation, { objects: "own" });
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const other = { by: { token: { $get: "client#/token" } } };
  return [
    caseOf(context, {
      operation,
      kind: "resources",
      about: ["others", "client"],
      title: `${operation.summary ?? operation.name}: data of one client of a user is not shown to another client`,
      requirements: [...requirementsOfResource(context, resource), ...requirementsOf(operation.sources)],
      needs: plan.needs,
      steps: [
        ...plan.before,
        { make: "client", as: "client", fresh: true, ...by },
        given({ call: read.name, ...other, as: "before" }),
        plan.call,
        { call: read.name, ...by, as: "ours" },
        { check: { $get: "ours#/body" }, matches: { not: { const: { $get: "before#/body" } } } },
        { call: read.name, ...other, expect: sameAs("before") },
      ],
    }),
  ];
}
