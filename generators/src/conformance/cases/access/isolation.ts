import type { Case, CallStep, Expectation, Step, Template } from "@plumbline/conformance-runtime";
import { type Operation, type Resource, schemaParts, sizeLimits, ownValue } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { isOfTenant } from "../../context/suite-callers.js";
import {
  objectChain,
  findErrorOf,
  expectMissing,
  objectNames,
  pathReferences,
  nonexistentId,
  pointerInto,
  readObject,
  requirementsOfResource,
  type PathObjectReference,
} from "../../requests/object-chains.js";
import {
  callStep,
  expectStep,
  lacksBody,
  setupStep,
  planRequest,
  type RequestPlan,
} from "../../requests/request-plan.js";

/** Cases of hidden objects, which get the response of missing ones: objects of other owners, of another parent, and unknown ids. */
export function isolationCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const naming = pathReferences(operation);
    return [
      ...naming.flatMap((each) => unknownIdCases(context, operation, each)),
      ...otherParentCases(context, operation, naming),
      ...otherOwnerCases(context, operation, naming.at(-1)),
    ];
  });
}

function unknownIdCases(
  context: ConformanceContext,
  operation: Operation,
  parameter: PathObjectReference,
): readonly Case[] {
  const expect = expectMissing(context, operation, parameter);
  if (expect === undefined) return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  if (lacksBody(plan)) return [];
  const requirements = [
    ...requirementIds(parameter.sources),
    ...requirementIds(findErrorOf(context, operation, parameter.reference.onNotFound)?.sources),
  ];
  const subject = `${operation.summary ?? operation.name}: ${parameter.name}`;
  const isDescribed = parameter.reference.onNotFound !== undefined;
  const ids = wrongIds(context, parameter).filter(({ about }) => isDescribed || about === "nonexistent");
  return ids.map(({ about, title, id }) =>
    createCase(context, {
      operation,
      kind: "resources",
      idParts: ["path", parameter.name, about],
      title: `${subject} ${title} is not found`,
      requirements,
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        { ...expectStep(plan, expect, { path: { ...plan.call.path, [parameter.name]: id } }) },
      ],
    }),
  );
}

interface WrongId {
  readonly about: string;
  readonly title: string;
  readonly id: Template;
}

function wrongIds(
  context: ConformanceContext,
  { schema, segments, encodedSlash }: PathObjectReference,
): readonly WrongId[] {
  const parts = schemaParts(context.api, schema);
  const isNumber = parts.some(({ types }) => types.includes("integer"));
  const unknown = { about: "nonexistent", title: "that does not exist", id: nonexistentId(context, schema) };
  const slash = { about: "encoded-slash", title: "with an encoded slash in it", id: "1/2" };
  const twice = { about: "slash-encoded-twice", title: "with a slash that is encoded twice", id: "1%2F2" };
  if (isNumber)
    return [
      unknown,
      { about: "letters", title: "of letters", id: "abc" },
      { about: "zero", title: "0", id: "0" },
      { about: "negative", title: "below 0", id: "-1" },
      { about: "fraction", title: "with a fraction", id: "1.5" },
      { about: "huge", title: "beyond any number", id: "99999999999999999999" },
      slash,
    ];
  const longest = sizeLimits("characters", parts).most ?? 255;
  const long = { about: "too-long", title: "longer than any", id: { $repeat: ["n", longest + 1] } };
  if (segments > 1) return [unknown, long];
  return encodedSlash ? [unknown, long, slash, twice] : [unknown, long, slash];
}

/** An object under another parent of the same account. */
function otherParentCases(
  context: ConformanceContext,
  operation: Operation,
  naming: readonly PathObjectReference[],
): readonly Case[] {
  const last = naming.at(-1);
  const outer = naming.at(-2);
  if (last === undefined || outer === undefined || last.reference.onNotFound === undefined) return [];
  const expect = expectMissing(context, operation, last);
  if (expect === undefined) return [];
  const plan = planRequest(context, operation, { objects: operation.method === "DELETE" ? "own" : "shared" });
  if (lacksBody(plan)) return [];
  const other = objectChain(context, operation, { freshFrom: outer.reference.to, suffix: "Other" });
  const path = {
    ...plan.call.path,
    [outer.name]: pointerInto(ownValue(other.names, outer.reference.to) ?? "", `/${outer.reference.by ?? "id"}`),
  };
  return [
    createCase(context, {
      operation,
      kind: "resources",
      idParts: ["path", last.name, "of-another-parent"],
      title: `${operation.summary ?? operation.name}: a child of one ${outer.reference.to} is not found in another`,
      requirements: [...requirementIds(last.sources), ...requirementIds(operation.sources)],
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        ...other.createSteps.filter(({ make }) => make !== last.reference.to),
        ...unchanged(context, plan, callStep(plan, { path, expect })),
      ],
    }),
  ];
}

function otherOwnerCases(
  context: ConformanceContext,
  operation: Operation,
  last: PathObjectReference | undefined,
): readonly Case[] {
  const resource = context.resources.get(last?.reference.to ?? "");
  if (last === undefined || resource === undefined) return [];
  const expect = expectMissing(context, operation, last);
  const isOwned = isOfTenant(context.api, resource) || resource.owner.includes("user");
  if (expect === undefined || !isOwned || lacksBody(planRequest(context, operation, { objects: "shared" }))) return [];
  return (["other-account", "colleague"] as const)
    .filter((who) => who === "other-account" || resource.owner.includes("user"))
    .map((who) => otherOwnerCase(context, { operation, last, resource, expect, caller: who }));
}

interface OtherOwner {
  readonly operation: Operation;
  readonly last: PathObjectReference;
  readonly resource: Resource;
  readonly expect: Expectation;
  readonly caller: "other-account" | "colleague";
}

function otherOwnerCase(context: ConformanceContext, { operation, last, resource, expect, caller }: OtherOwner): Case {
  const plan = planRequest(context, operation, { objects: operation.method === "DELETE" ? "own" : "shared" });
  const by = caller === "other-account" ? "other-account" : { user: "colleague" };
  const path = { ...plan.call.path, [last.name]: nonexistentId(context, last.schema) };
  const hidden = callStep(plan, { by, expect, as: "hidden" });
  const whose = caller === "other-account" ? "another account" : "another user of the account";
  return createCase(context, {
    operation,
    kind: "resources",
    idParts: ["others", caller],
    title: `${operation.summary ?? operation.name}: for ${whose} the object does not exist`,
    requirements: [
      ...requirementsOfResource(context, resource),
      ...requirementIds(operation.sources),
      ...requirementIds(findErrorOf(context, operation, last.reference.onNotFound)?.sources),
    ],
    requires: plan.requires,
    exclusive: plan.exclusive,
    steps: [
      ...plan.setupSteps,
      ...(caller === "other-account" ? [] : [{ actor: { account: "own" }, as: "colleague" } as const]),
      callStep(plan, { by, path, expect, as: "unknown" }),
      ...unchanged(context, plan, hidden),
      {
        check: { $get: "hidden#/body" },
        matches: { const: { $get: "unknown#/body" } },
        message: "An object of another owner and a missing object have different responses.",
      },
    ],
  });
}

/** A rejected call. If it could change the path's object, a read checks that the object is unchanged. */
function unchanged(context: ConformanceContext, { operation, names }: RequestPlan, call: CallStep): readonly Step[] {
  const last = pathReferences(operation).at(-1);
  const readCall = readObject(context, context.resources.get(last?.reference.to ?? ""), objectNames(operation, names));
  if (readCall === undefined || operation.method === "GET" || operation.method === "HEAD") return [call];
  return [
    { settle: true },
    setupStep({ ...readCall, as: "before" }),
    call,
    { settle: true },
    { ...readCall, expect: { body: { const: { $get: "before#/body" } } } },
  ];
}
