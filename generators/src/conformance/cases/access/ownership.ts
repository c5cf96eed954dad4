import type { CallStep, Caller, Case, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, sizeLimits, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { isOfTenant } from "../../context/suite-callers.js";
import { expectError } from "../../requests/expect-error.js";
import {
  callOnObjects,
  objectChain,
  pathReferences,
  readObject,
  requirementsOfResource,
} from "../../requests/object-chains.js";
import { itemsPointer } from "../../requests/object-sources.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";
import { jsonSchemaOf } from "../../values/json-schema.js";
import { schemaWithValue } from "../effects/expression-values.js";
import { sharedNameCases } from "./shared-names.js";

/** Cases of ownership: own objects, objects of others, and public objects. */
export function ownershipCases(context: ConformanceContext): readonly Case[] {
  const cases = context.api.resources.flatMap((resource) => [
    ...ownListCases(context, resource),
    ...platformOwnedCases(context, resource),
    ...publicCases(context, resource),
    ...singleCases(context, resource),
  ]);
  return [...cases, ...sharedNameCases(context)];
}

/** Lists have the caller's objects, and none of others. */
function ownListCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const list = context.operations.get(resource.list ?? "");
  const envelope = list?.pagination?.envelope;
  if (list === undefined || pathReferences(list).length > 0) return [];
  const items = envelope?.items === undefined ? itemsPointer(context, list, resource) : `/${envelope.items}`;
  if (items === undefined) return [];
  const isUsers = resource.owner.includes("user");
  if (!isUsers && !isOfTenant(context.api, resource)) return [];
  const makes = creationSteps(context, { resource: resource.name, as: "theirs" });
  if (makes === undefined) return [];
  const call = callOnObjects(list, {});
  if (call === undefined) return [];
  const isCredential = context.api.scopeGrammar?.credentials.some(({ to }) => to === resource.name) === true;
  const key = idFieldOf(context, resource);
  const within = (schema: Template): Template => (items === "" ? schema : schemaWithValue([items.slice(1)], schema));
  const others = within({ not: { contains: schemaWithValue([key], { const: { $get: `theirs#/${key}` } }) } });
  // Only an account that the run has created is known to be empty.
  const isEmpty = context.settings.actors.user !== undefined && !isCredential;
  const nothing: Template =
    envelope?.total === undefined || !isEmpty
      ? others
      : { properties: { [envelope.total]: { const: 0 } }, required: [envelope.total] };
  const open = resource.public;
  const visited: Template =
    open === undefined ? nothing : { allOf: [others, within({ items: jsonSchemaOf(open) as Template })] };
  const otherCaller = (who: "other-account" | "colleague"): readonly Step[] =>
    who === "other-account" && context.settings.actors.user === undefined
      ? [{ ...call, ...largestPage(list), by: "other-account", expect: { body: visited } }]
      : [
          { actor: { account: who === "other-account" ? "other" : "own" }, as: "other" },
          { ...call, by: { user: "other" }, expect: { body: visited } },
        ];
  return (["other-account", "colleague"] as const)
    .filter((who) => who === "other-account" || isUsers)
    .map((who) =>
      createCase(context, {
        operation: list,
        kind: "resources",
        idParts: ["others", who],
        title: `${list.summary ?? list.name}: ${who === "other-account" ? "another account" : "another user"} sees none of it`,
        requirements: [...requirementsOfResource(context, resource), ...requirementIds(list.sources)],
        steps: [...makes, ...otherCaller(who)],
      }),
    );
}

/** The most items that a page may have, so that the page of a list without described pages has as many as possible. */
function largestPage({ parameters }: Operation): Pick<CallStep, "query"> {
  const size = parameters.find(
    (each) => each.in === "query" && /^(?:limit|(?:per|page)[_-]?(?:page|size))$/i.test(each.name),
  );
  const { most } = size === undefined ? {} : sizeLimits("number", [size.schema]);
  return size === undefined || most === undefined ? {} : { query: { [size.name]: most } };
}

/** The field that identifies a resource in paths. */
function idFieldOf({ api }: ConformanceContext, { name }: Resource): string {
  const references = api.operations.flatMap((each) => pathReferences(each));
  return references.find(({ reference }) => reference.to === name)?.reference.by ?? "id";
}

/** Objects of the platform are the same for every account. */
function platformOwnedCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const readOperation = context.operations.get(resource.read ?? "");
  if (readOperation === undefined || resource.owner.some((each) => each !== "platform") || resource.owner.length === 0)
    return [];
  const { createSteps, names } = objectChain(context, readOperation);
  const call = callOnObjects(readOperation, names);
  if (call === undefined || createSteps.length === 0) return [];
  return [
    createCase(context, {
      operation: readOperation,
      kind: "resources",
      idParts: ["everybody"],
      title: `${readOperation.summary ?? readOperation.name}: every account reads the same`,
      requirements: [...requirementsOfResource(context, resource), ...requirementIds(readOperation.sources)],
      steps: [
        ...createSteps,
        setupStep({ ...call, as: "ours" }),
        { ...call, by: "other-account", expect: sameAs("ours") },
      ],
    }),
  ];
}

function sameAs(name: string): Expectation {
  return { body: { const: { $get: `${name}#/body` } } };
}

/** Every caller may read a public object; only its owner may change it. */
function publicCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const list = context.operations.get(resource.list ?? "");
  const items = list?.pagination?.envelope.items;
  const listing = list && callOnObjects(list, {});
  if (resource.public === undefined || list === undefined || items === undefined || listing === undefined) return [];
  if (resource.owner.every((each) => each === "platform")) return [];
  const open = `list#/body/${items}/0`;
  const publicSchema = jsonSchemaOf(resource.public) as Template;
  const step: Step = setupStep({
    ...listing,
    as: "list",
    expect: { body: schemaWithValue([items], { prefixItems: [publicSchema], ...statedLimits("items", { least: 1 }) }) },
  });
  const names = { [resource.name]: open };
  const readCall = readObject(context, resource, names);
  if (readCall === undefined) return [];
  const operations = context.api.operations.filter(
    (each) => pathReferences(each).at(-1)?.reference.to === resource.name,
  );
  return operations.flatMap((operation) => {
    const call = callOnObjects(operation, names);
    if (call === undefined) return [];
    const about = { operation, step, call };
    if (operation.name === resource.read)
      return readers(operation).map((by) => readCase(context, resource, { ...about, by }));
    return changeCase(context, resource, { ...about, read: readCall });
  });
}

interface PublicObject {
  readonly operation: Operation;
  readonly step: Step;
  readonly call: CallStep;
}

function readers({ security }: Operation): readonly ("other-account" | "anonymous")[] {
  const isFree = security.length === 0 || security.some((each) => each.length === 0);
  return isFree ? ["other-account", "anonymous"] : ["other-account"];
}

function readCase(
  context: ConformanceContext,
  resource: Resource,
  { operation, step, call, by }: PublicObject & { readonly by: Caller & string },
): Case {
  return createCase(context, {
    operation,
    kind: "resources",
    idParts: ["public", by],
    title: `${operation.summary ?? operation.name}: a public object is read by ${by === "other-account" ? "other accounts" : "anonymous callers"}`,
    requirements: [...requirementsOfResource(context, resource), ...requirementIds(operation.sources)],
    steps: [step, setupStep({ ...call, as: "ours" }), { ...call, by, expect: sameAs("ours") }],
  });
}

/** Rejected with the described error; without one with 403 or 404. */
function changeCase(
  context: ConformanceContext,
  resource: Resource,
  { operation, step, call, read }: PublicObject & { readonly read: CallStep },
): readonly Case[] {
  const described = operation.errors.find(({ when }) => when?.target !== undefined && isOpen(when.target, resource));
  const expect = described === undefined ? expectHidden(operation) : expectError(described, null);
  if (expect === undefined || operation.method === "GET") return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  const body = plan.call.body === undefined ? {} : { body: plan.call.body };
  return (["main", "other-account"] as const).map((by) =>
    createCase(context, {
      operation,
      kind: "resources",
      idParts: ["public", by],
      title: `${operation.summary ?? operation.name}: a public object is not changed by ${by === "main" ? "a caller that may only read it" : "another account"}`,
      requirements: [
        ...requirementIds(described?.sources),
        ...requirementsOfResource(context, resource),
        ...requirementIds(operation.sources),
      ],
      steps: [
        step,
        setupStep({ ...read, as: "before" }),
        { ...call, ...body, by, expect },
        { ...read, expect: sameAs("before") },
      ],
    }),
  );
}

function expectHidden({ responses }: Operation): Expectation | undefined {
  const status = [403, 404].filter((each) => responses.some((response) => response.status === each));
  return status.length === 0 ? undefined : { status };
}

function isOpen(target: NonNullable<Resource["public"]>, { public: open }: Resource): boolean {
  return open !== undefined && JSON.stringify(jsonSchemaOf(target)) === JSON.stringify(jsonSchemaOf(open));
}

/** Singletons of users or of their clients: each has its own. */
function singleCases(context: ConformanceContext, resource: Resource): readonly Case[] {
  const readOperation = context.operations.get(resource.read ?? "");
  if (readOperation === undefined || pathReferences(readOperation).length > 0 || !resource.owner.includes("user"))
    return [];
  const changes = context.api.operations.filter(
    (each) => each.path === readOperation.path && (each.method === "PUT" || each.method === "PATCH"),
  );
  return changes.flatMap((operation) => [
    userCase(context, { resource, read: readOperation, operation }),
    ...(resource.owner.includes("client") ? clientCases(context, { resource, read: readOperation, operation }) : []),
  ]);
}

interface Singleton {
  readonly resource: Resource;
  readonly read: Operation;
  readonly operation: Operation;
}

function userCase(context: ConformanceContext, { resource, read, operation }: Singleton): Case {
  const plan = planRequest(context, operation, { objects: "own" });
  return createCase(context, {
    operation,
    kind: "resources",
    idParts: ["others", "colleague"],
    title: `${operation.summary ?? operation.name}: a change of one user does not affect another`,
    requirements: [...requirementsOfResource(context, resource), ...requirementIds(operation.sources)],
    requires: plan.requires,
    steps: [
      ...plan.setupSteps,
      { actor: { account: "own" }, as: "colleague" },
      setupStep({ call: read.name, by: { user: "colleague" }, as: "before" }),
      plan.call,
      { call: read.name, by: { user: "colleague" }, expect: sameAs("before") },
    ],
  });
}

/** The fixture `client` of the settings creates a token for another client of the user. */
function clientCases(context: ConformanceContext, { resource, read, operation }: Singleton): readonly Case[] {
  if (!Object.hasOwn(context.settings.fixtures, "client")) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const by = plan.call.by === undefined ? {} : { by: plan.call.by };
  const other = { by: { token: { $get: "client#/token" } } };
  return [
    createCase(context, {
      operation,
      kind: "resources",
      idParts: ["others", "client"],
      title: `${operation.summary ?? operation.name}: data of one client of a user is not shown to another client`,
      requirements: [...requirementsOfResource(context, resource), ...requirementIds(operation.sources)],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        { make: "client", as: "client", fresh: true, ...by },
        setupStep({ call: read.name, ...other, as: "before" }),
        plan.call,
        { call: read.name, ...by, as: "ours" },
        { check: { $get: "ours#/body" }, matches: { not: { const: { $get: "before#/body" } } } },
        { call: read.name, ...other, expect: sameAs("before") },
      ],
    }),
  ];
}
