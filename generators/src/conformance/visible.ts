import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Operation, Property, Reply, Shape } from "../model/api.js";
import { partsOf } from "../model/fields.js";
import { jsonContent } from "../model/media.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { acceptedPlan, withGrants } from "./callers.js";
import { planOf } from "./plans.js";
import { sampleOf } from "./samples.js";

/** Cases of fields that only some callers or operations see. */
export function visibleCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) => [
    ...fieldCases(context, operation),
    ...replyCases(context, operation),
    ...callerCases(context, operation),
    ...secretCases(context, operation),
  ]);
}

interface Shown {
  readonly property: Property;
  /** Path to it in the response; `*` is each item. */
  readonly pointer: readonly string[];
}

/** Fields that only one operation shows in full. */
function fieldCases(context: Context, operation: Operation): readonly Case[] {
  return shownIn(context, operation).flatMap(({ property, pointer }) => {
    const { visible, sources } = property.shape;
    if (visible?.in === undefined) return [];
    const isWhole = visible.in.includes(operation.name);
    const whole = context.operations.get(visible.in[0] ?? "");
    const schema = isWhole
      ? wholeSchema(context, property.shape, visible.otherwise)
      : otherwiseSchema(visible.otherwise);
    const plan = acceptedPlan(context, operation);
    const isFirst = typeof visible.otherwise === "object" && visible.otherwise !== null && visible.otherwise.first > 0;
    const read = isWhole || !isFirst ? undefined : whole;
    return [
      caseOf(context, {
        operation,
        kind: "visible",
        about: ["visible", pointer.join(".").replaceAll("*", "each")],
        title: isWhole
          ? `${operation.name} shows ${property.name} in full`
          : `${operation.name} shows ${property.name} truncated`,
        requirements: requirementsOf(sources),
        needs: plan.needs,
        alone: plan.alone,
        steps: [
          ...plan.before,
          {
            ...plan.call,
            as: "answer",
            expect: { body: at(pointer, schema, isWhole || visible.otherwise !== "absent") },
          },
          ...(read === undefined || pointer.length !== 1 ? [] : beginningOf(plan.names, property.name)),
        ],
      }),
    ];
  });
}

/** The value is a prefix of the original. */
function beginningOf(names: Readonly<Record<string, string>>, field: string): Case["steps"] {
  const own = Object.values(names).at(-1);
  if (own === undefined) return [];
  return [
    {
      check: { $get: `${own}#/${field}` },
      matches: { type: "string", pattern: { $text: ["^", { $get: `answer#/body/${field}` }] } },
      message: "The value is not a prefix of the one in the response to the creation.",
    },
  ];
}

function wholeSchema(context: Context, shape: Shape, otherwise: unknown): Template {
  const least =
    typeof otherwise === "object" && otherwise !== null && "first" in otherwise ? Number(otherwise.first) + 1 : 1;
  const isText = partsOf(context.api, shape).some(({ types }) => types.includes("string"));
  return isText ? { type: "string", minLength: least } : {};
}

function otherwiseSchema(otherwise: "absent" | null | { readonly first: number } | undefined): Template {
  if (otherwise === null) return { type: "null" };
  if (otherwise === undefined || otherwise === "absent") return false;
  return { type: "string", minLength: otherwise.first, maxLength: otherwise.first };
}

/** A schema nested in a response. */
function at([token, ...rest]: readonly string[], schema: Template, isRequired: boolean): Template {
  if (token === undefined) return schema;
  const inner = at(rest, schema, isRequired);
  if (token === "*") return { type: "array", items: inner };
  return { type: "object", properties: { [token]: inner }, ...(isRequired ? { required: [token] } : {}) };
}

/** Fields of a successful response with visibility rules, near its root. */
function shownIn({ api }: Context, operation: Operation): readonly Shown[] {
  const [shape] = operation.replies.flatMap((reply) =>
    String(reply.status).startsWith("2") ? (jsonContent(reply.contents)?.shape ?? []) : [],
  );
  const found: Shown[] = [];
  const visit = (each: Shape, pointer: readonly string[]): void => {
    if (pointer.length > 4) return;
    for (const part of partsOf(api, each)) {
      for (const property of part.properties ?? []) {
        const way = [...pointer, property.name];
        if (property.shape.visible !== undefined) found.push({ property, pointer: way });
        visit(property.shape, way);
      }
      if (part.items !== undefined) visit(part.items, [...pointer, "*"]);
    }
  };
  if (shape !== undefined && api.scopes !== undefined) visit(shape, []);
  return found.filter(
    ({ pointer }, index) => found.findIndex((other) => other.pointer.join("/") === pointer.join("/")) === index,
  );
}

/** Responses for restricted and for unrestricted users. */
function replyCases(context: Context, operation: Operation): readonly Case[] {
  return operation.replies.flatMap((reply) => {
    const restricted = restrictedness(reply);
    if (restricted === undefined || typeof reply.status !== "number") return [];
    const plan = planOf(context, operation, { objects: "shared" });
    const asked = restricted ? withGrants(plan, { global: {} }) : plan;
    if (asked === undefined) return [];
    const isEmpty = reply.contents.length === 0;
    return [
      caseOf(context, {
        operation,
        kind: "visible",
        about: ["visible", String(reply.status)],
        title: `${operation.name} responds ${reply.status} to ${restricted ? "a restricted" : "an unrestricted"} user`,
        requirements: [...requirementsOf(reply.sources), ...requirementsOf(operation.sources)],
        needs: plan.needs,
        steps: [
          ...asked.before,
          {
            ...asked.call,
            expect: { status: reply.status, ...(isEmpty ? { text: { type: "string", maxLength: 0 } } : {}) },
          },
        ],
      }),
    ];
  });
}

function restrictedness({ visible }: Reply): boolean | undefined {
  const flag = visible?.when?.caller?.properties?.find(({ name }) => name === "restricted")?.shape.const;
  return typeof flag === "boolean" ? flag : undefined;
}

/**
 * Fields that depend on the caller. A new user of a new account may not see them. A recipe of the settings, such as `sees referrals.code`,
 * creates a caller that may.
 */
function callerCases(context: Context, operation: Operation): readonly Case[] {
  return shownIn(context, operation).flatMap(({ property, pointer }) => {
    const { visible, sources } = property.shape;
    if (visible?.when?.caller === undefined) return [];
    const plan = planOf(context, operation, { objects: "shared" });
    if (plan.before.length > 0) return [];
    const requirements = requirementsOf(sources);
    const about = pointer.join(".").replaceAll("*", "each");
    const hidden = caseOf(context, {
      operation,
      kind: "visible",
      about: ["visible", about, "hidden"],
      title: `${operation.name} does not show ${about} to a caller without permission`,
      requirements,
      steps: [
        { actor: { account: "other" }, as: "newcomer" },
        {
          ...plan.call,
          by: { user: "newcomer" },
          expect: { body: at(pointer, otherwiseSchema(visible.otherwise), visible.otherwise !== "absent") },
        },
      ],
    });
    const recipe = `sees ${about}`;
    if (context.settings.recipes[recipe] === undefined) return [hidden];
    const shown = caseOf(context, {
      operation,
      kind: "visible",
      about: ["visible", about, "shown"],
      title: `${operation.name} shows ${about} to a caller with permission`,
      requirements,
      steps: [
        { make: recipe, as: "insider", fresh: true },
        {
          ...plan.call,
          by: { token: { $get: "insider#/token" } },
          expect: { body: at(pointer, wholeSchema(context, property.shape, visible.otherwise), true) },
        },
      ],
    });
    return [hidden, shown];
  });
}

/** Secrets in a request are not in the response. */
function secretCases(context: Context, operation: Operation): readonly Case[] {
  const content = operation.body && jsonContent(operation.body.contents);
  if (content === undefined) return [];
  const shown = new Set(shownIn(context, operation).map(({ property }) => property.name));
  const properties = partsOf(context.api, content.shape).flatMap((part) => part.properties ?? []);
  const secrets = properties.filter(({ name, shape }) => shape.visible?.secret === true && !shown.has(name));
  return secrets.flatMap((property) => {
    const fitting = acceptedPlan(context, operation);
    const { body } = fitting.call;
    const isSent = body !== null && typeof body === "object" && property.name in body;
    const sample = sampleOf(context, property.shape);
    // A short secret may occur in other fields.
    if (!isSent && (typeof sample !== "string" || sample.length < 6)) return [];
    const added: Template = { [property.name]: sample };
    const plan = isSent ? fitting : { ...fitting, call: { ...fitting.call, body: { $merge: [body ?? {}, added] } } };
    return [
      caseOf(context, {
        operation,
        kind: "visible",
        about: ["visible", property.name, "not-told"],
        title: `${operation.name} does not return ${property.name}`,
        requirements: requirementsOf(property.shape.sources),
        needs: plan.needs,
        alone: plan.alone,
        steps: [
          ...plan.before,
          { ...plan.call, as: "answer" },
          {
            check: { $json: { $get: "answer#/body" } },
            matches: { not: { pattern: { $get: `answer#/request/body/${property.name}` } } },
            message: `The response contains the ${property.name} of the request.`,
          },
        ],
      }),
    ];
  });
}
