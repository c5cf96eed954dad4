import type { Case, CallStep, Expect, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { calling, expecting, given, planOf, type Plan } from "./plans.js";
import {
  chainOf,
  failureOf,
  missingAt,
  namesIn,
  namingOf,
  nobodysId,
  part,
  readOf,
  requirementsOfResource,
  type Naming,
} from "./resource-paths.js";

/** Cases of hidden objects, which get the response of missing ones: objects of other owners, of another parent, and unknown ids. */
export function isolationCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => {
    const naming = namingOf(operation);
    return [
      ...naming.flatMap((each) => unknownCases(context, operation, each)),
      ...otherParentCases(context, operation, naming),
      ...othersCases(context, operation, naming.at(-1)),
    ];
  });
}

function unknownCases(context: Context, operation: Operation, parameter: Naming): readonly Case[] {
  const expect = missingAt(context, operation, parameter);
  if (expect === undefined) return [];
  const plan = planOf(context, operation, { objects: "shared" });
  const requirements = [
    ...requirementsOf(parameter.sources),
    ...requirementsOf(failureOf(context, operation, parameter.reference.missing)?.sources),
  ];
  const subject = `${operation.summary ?? operation.name}: ${parameter.name}`;
  const isDescribed = parameter.reference.missing !== undefined;
  const ids = wrongIds(context, parameter).filter(({ about }) => isDescribed || about === "nobody");
  return ids.map(({ about, title, id }) =>
    caseOf(context, {
      operation,
      kind: "resources",
      about: ["path", parameter.name, about],
      title: `${subject} ${title} is not found`,
      requirements,
      needs: plan.needs,
      alone: plan.alone,
      steps: [...plan.before, { ...expecting(plan, expect, { path: { ...plan.call.path, [parameter.name]: id } }) }],
    }),
  );
}

interface WrongId {
  readonly about: string;
  readonly title: string;
  readonly id: Template;
}

function wrongIds(context: Context, { shape, segments, encodedSlash }: Naming): readonly WrongId[] {
  const parts = partsOf(context.api, shape);
  const isNumber = parts.some(({ types }) => types.includes("integer"));
  const unknown = { about: "nobody", title: "that does not exist", id: nobodysId(context, shape) };
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
  const longest = Math.min(...parts.map(({ maxLength = 255 }) => maxLength));
  const long = { about: "too-long", title: "longer than any", id: { $repeat: ["n", longest + 1] } };
  if (segments > 1) return [unknown, long];
  return encodedSlash ? [unknown, long, slash, twice] : [unknown, long, slash];
}

/** An object under another parent of the same account. */
function otherParentCases(context: Context, operation: Operation, naming: readonly Naming[]): readonly Case[] {
  const last = naming.at(-1);
  const outer = naming.at(-2);
  if (last === undefined || outer === undefined || last.reference.missing === undefined) return [];
  const expect = missingAt(context, operation, last);
  if (expect === undefined) return [];
  const plan = planOf(context, operation, { objects: operation.method === "DELETE" ? "own" : "shared" });
  const other = chainOf(context, operation, { freshFrom: outer.reference.to, suffix: "Other" });
  const path = {
    ...plan.call.path,
    [outer.name]: part(other.names[outer.reference.to] ?? "", `/${outer.reference.by ?? "id"}`),
  };
  return [
    caseOf(context, {
      operation,
      kind: "resources",
      about: ["path", last.name, "of-another-parent"],
      title: `${operation.summary ?? operation.name}: a child of one ${outer.reference.to} is not found in another`,
      requirements: [...requirementsOf(last.sources), ...requirementsOf(operation.sources)],
      needs: plan.needs,
      alone: plan.alone,
      steps: [
        ...plan.before,
        ...other.makes.filter(({ make }) => make !== last.reference.to),
        ...unchanged(context, plan, calling(plan, { path, expect })),
      ],
    }),
  ];
}

function othersCases(context: Context, operation: Operation, last: Naming | undefined): readonly Case[] {
  const resource = context.resources.get(last?.reference.to ?? "");
  if (last === undefined || resource === undefined) return [];
  const expect = missingAt(context, operation, last);
  const isOwned = resource.owner.includes("account") || resource.owner.includes("user");
  if (expect === undefined || !isOwned) return [];
  return (["stranger", "colleague"] as const)
    .filter((who) => who === "stranger" || resource.owner.includes("user"))
    .map((who) => othersCase(context, { operation, last, resource, expect, who }));
}

interface Others {
  readonly operation: Operation;
  readonly last: Naming;
  readonly resource: Resource;
  readonly expect: Expect;
  readonly who: "stranger" | "colleague";
}

function othersCase(context: Context, { operation, last, resource, expect, who }: Others): Case {
  const plan = planOf(context, operation, { objects: operation.method === "DELETE" ? "own" : "shared" });
  const by = who === "stranger" ? "stranger" : { user: "colleague" };
  const path = { ...plan.call.path, [last.name]: nobodysId(context, last.shape) };
  const hidden = calling(plan, { by, expect, as: "hidden" });
  const whose = who === "stranger" ? "another account" : "another user of the account";
  return caseOf(context, {
    operation,
    kind: "resources",
    about: ["others", who],
    title: `${operation.summary ?? operation.name}: for ${whose} the object does not exist`,
    requirements: [
      ...requirementsOfResource(context, resource),
      ...requirementsOf(operation.sources),
      ...requirementsOf(failureOf(context, operation, last.reference.missing)?.sources),
    ],
    needs: plan.needs,
    alone: plan.alone,
    steps: [
      ...plan.before,
      ...(who === "stranger" ? [] : [{ actor: { account: "own" }, as: "colleague" } as const]),
      calling(plan, { by, path, expect, as: "unknown" }),
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
function unchanged(context: Context, { operation, names }: Plan, call: CallStep): readonly Step[] {
  const last = namingOf(operation).at(-1);
  const read = readOf(context, context.resources.get(last?.reference.to ?? ""), namesIn(operation, names));
  if (read === undefined || operation.method === "GET" || operation.method === "HEAD") return [call];
  return [
    { settle: true },
    given({ ...read, as: "before" }),
    call,
    { settle: true },
    { ...read, expect: { body: { const: { $get: "before#/body" } } } },
  ];
}
