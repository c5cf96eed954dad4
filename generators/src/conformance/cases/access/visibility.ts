import type { Case, Template } from "@plumbline/conformance-runtime";
import {
  findJsonContent,
  type Operation,
  type Property,
  type Schema,
  schemaParts,
  statedLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { callerOfResponse, schemaRequirements } from "../../context/response-requirements.js";
import { callerInWords } from "../../context/suite-callers.js";
import { acceptedPlan, callAs } from "../../requests/callers.js";
import { planRequest } from "../../requests/request-plan.js";
import { schemaSample } from "../../values/samples.js";
import { grantsTemplate } from "./required-grants.js";

/** Cases of fields that only some callers or operations see. */
export function visibilityCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => [
    ...fieldCases(context, operation),
    ...responseVariantCases(context, operation),
    ...callerCases(context, operation),
    ...secretCases(context, operation),
  ]);
}

interface VisibleField {
  readonly property: Property;
  /** Path to it in the response; `*` is each item. */
  readonly pointer: readonly string[];
}

/** Fields that only one operation shows in full. */
function fieldCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return shownIn(context, operation).flatMap(({ property, pointer }) => {
    const { visibility, sources } = property.schema;
    if (visibility?.in === undefined) return [];
    const isWhole = visibility.in.includes(operation.name);
    const whole = context.operations.get(visibility.in[0] ?? "");
    const schema = isWhole
      ? wholeSchema(context, property.schema, visibility.otherwise)
      : otherwiseSchema(visibility.otherwise);
    const plan = acceptedPlan(context, operation);
    const isFirst =
      typeof visibility.otherwise === "object" && visibility.otherwise !== null && visibility.otherwise.truncate > 0;
    const read = isWhole || !isFirst ? undefined : whole;
    return [
      createCase(context, {
        operation,
        kind: "visible",
        idParts: ["visible", pointer.join(".").replaceAll("*", "each")],
        title: isWhole
          ? `${operation.name} shows ${property.name} in full`
          : `${operation.name} shows ${property.name} truncated`,
        requirements: requirementIds(sources),
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [
          ...plan.setupSteps,
          {
            ...plan.call,
            as: "answer",
            expect: { body: at(pointer, schema, isWhole || visibility.otherwise !== "absent") },
          },
          ...(read === undefined || pointer.length !== 1 ? [] : prefixSchema(plan.names, property.name)),
        ],
      }),
    ];
  });
}

/** The value is a prefix of the original. */
function prefixSchema(names: Readonly<Record<string, string>>, field: string): Case["steps"] {
  const name = Object.values(names).at(-1);
  if (name === undefined) return [];
  return [
    {
      check: { $get: `${name}#/${field}` },
      matches: { type: "string", pattern: { $text: ["^", { $get: `answer#/body/${field}` }] } },
      message: "The value is not a prefix of the one in the response to the creation.",
    },
  ];
}

function wholeSchema(context: ConformanceContext, schema: Schema, otherwise: unknown): Template {
  const least =
    typeof otherwise === "object" && otherwise !== null && "truncate" in otherwise ? Number(otherwise.truncate) + 1 : 1;
  const isText = schemaParts(context.api, schema).some(({ types }) => types.includes("string"));
  return isText ? { type: "string", ...statedLimits("characters", { least }) } : {};
}

function otherwiseSchema(otherwise: "absent" | null | { readonly truncate: number } | undefined): Template {
  if (otherwise === null) return { type: "null" };
  if (otherwise === undefined || otherwise === "absent") return false;
  return { type: "string", ...statedLimits("characters", { least: otherwise.truncate, most: otherwise.truncate }) };
}

/** A schema nested in a response. */
function at([token, ...rest]: readonly string[], schema: Template, isRequired: boolean): Template {
  if (token === undefined) return schema;
  const inner = at(rest, schema, isRequired);
  if (token === "*") return { type: "array", items: inner };
  return { type: "object", properties: { [token]: inner }, ...(isRequired ? { required: [token] } : {}) };
}

/** Fields of a successful response with visibility rules, near its root. */
function shownIn({ api }: ConformanceContext, operation: Operation): readonly VisibleField[] {
  const [schema] = operation.responses.flatMap((response) =>
    String(response.status).startsWith("2") ? (findJsonContent(response.contents)?.schema ?? []) : [],
  );
  const fields: VisibleField[] = [];
  const visit = (each: Schema, pointer: readonly string[]): void => {
    if (pointer.length > 4) return;
    for (const part of schemaParts(api, each)) {
      for (const property of part.properties ?? []) {
        const way = [...pointer, property.name];
        if (property.schema.visibility !== undefined) fields.push({ property, pointer: way });
        visit(property.schema, way);
      }
      if (part.items !== undefined) visit(part.items, [...pointer, "*"]);
    }
  };
  if (schema !== undefined && api.scopeGrammar !== undefined) visit(schema, []);
  return fields.filter(
    ({ pointer }, index) => fields.findIndex((other) => other.pointer.join("/") === pointer.join("/")) === index,
  );
}

/** Responses that depend on the attributes of the caller. */
function responseVariantCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return operation.responses.flatMap((response) => {
    const caller = callerOfResponse(context, response);
    if (caller === undefined || typeof response.status !== "number") return [];
    const plan = planRequest(context, operation, { objects: "shared" });
    const callerPlan = caller === "main" ? plan : callAs(plan, { caller, grants: grantsTemplate(context, []) });
    if (callerPlan === undefined) return [];
    const isEmpty = response.contents.length === 0;
    const json = findJsonContent(response.contents);
    return [
      createCase(context, {
        operation,
        kind: "visible",
        idParts: ["visible", String(response.status)],
        title: `${operation.name} responds ${response.status} to ${callerInWords(context.api, caller)}`,
        requirements: [
          ...requirementIds(response.sources),
          ...requirementIds(operation.sources),
          ...(json === undefined ? [] : schemaRequirements(context, json.schema)),
        ],
        requires: plan.requires,
        steps: [
          ...callerPlan.setupSteps,
          {
            ...callerPlan.call,
            expect: {
              status: response.status,
              ...(isEmpty ? { text: { type: "string", ...statedLimits("characters", { most: 0 }) } } : {}),
            },
          },
        ],
      }),
    ];
  });
}

/**
 * Fields that depend on the caller. A new user of a new account may not see them. A fixture of the settings, such as `sees referrals.code`,
 * creates a caller that may.
 */
function callerCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  return shownIn(context, operation).flatMap(({ property, pointer }) => {
    const { visibility, sources } = property.schema;
    if (visibility?.when?.caller === undefined) return [];
    const plan = planRequest(context, operation, { objects: "shared" });
    if (plan.setupSteps.length > 0) return [];
    const requirements = requirementIds(sources);
    const about = pointer.join(".").replaceAll("*", "each");
    const hidden = createCase(context, {
      operation,
      kind: "visible",
      idParts: ["visible", about, "hidden"],
      title: `${operation.name} does not show ${about} to a caller without permission`,
      requirements,
      steps: [
        { actor: { account: "other" }, as: "newcomer" },
        {
          ...plan.call,
          by: { user: "newcomer" },
          expect: { body: at(pointer, otherwiseSchema(visibility.otherwise), visibility.otherwise !== "absent") },
        },
      ],
    });
    const fixture = `sees ${about}`;
    if (context.settings.fixtures[fixture] === undefined) return [hidden];
    const visible = createCase(context, {
      operation,
      kind: "visible",
      idParts: ["visible", about, "shown"],
      title: `${operation.name} shows ${about} to a caller with permission`,
      requirements,
      steps: [
        { make: fixture, as: "insider", fresh: true },
        {
          ...plan.call,
          by: { token: { $get: "insider#/token" } },
          expect: { body: at(pointer, wholeSchema(context, property.schema, visibility.otherwise), true) },
        },
      ],
    });
    return [hidden, visible];
  });
}

/** Secrets in a request are not in the response. */
function secretCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const content = operation.requestBody && findJsonContent(operation.requestBody.contents);
  if (content === undefined) return [];
  const visible = new Set(shownIn(context, operation).map(({ property }) => property.name));
  const properties = schemaParts(context.api, content.schema).flatMap((part) => part.properties ?? []);
  const secrets = properties.filter(({ name, schema }) => schema.visibility?.secret === true && !visible.has(name));
  return secrets.flatMap((property) => {
    const fitting = acceptedPlan(context, operation);
    const { body } = fitting.call;
    const isSent = body !== null && typeof body === "object" && property.name in body;
    const sample = schemaSample(context, property.schema);
    // A short secret may occur in other fields.
    if (!isSent && (typeof sample !== "string" || sample.length < 6)) return [];
    const added: Template = { [property.name]: sample };
    const plan = isSent ? fitting : { ...fitting, call: { ...fitting.call, body: { $merge: [body ?? {}, added] } } };
    return [
      createCase(context, {
        operation,
        kind: "visible",
        idParts: ["visible", property.name, "not-returned"],
        title: `${operation.name} does not return ${property.name}`,
        requirements: requirementIds(property.schema.sources),
        requires: plan.requires,
        exclusive: plan.exclusive,
        steps: [
          ...plan.setupSteps,
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
