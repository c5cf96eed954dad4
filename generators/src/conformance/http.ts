import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Parameter } from "../model/api.js";
import { chosenContent, jsonContent, mediaKind } from "../model/media.js";
import { partsOf } from "../model/fields.js";
import { refusedPlan } from "./callers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { missingPath } from "./grantees.js";
import { methodCases } from "./methods.js";
import { calling, planOf, type Plan } from "./plans.js";
import { refusedWith, tellsAbsence, type Refused } from "./refused.js";
import { sourcesOf } from "./replies.js";

/** Cases of HTTP rules: invalid bodies, invalid ids, unknown methods and paths. */
export function httpCases(context: Context): readonly Case[] {
  const { operations } = context.api;
  return [
    ...operations.flatMap((operation) => [
      ...bodyCases(context, operation),
      ...idCases(context, operation),
      ...queryCases(context, operation),
    ]),
    ...methodCases(context),
    ...sizeCases(context),
    ...charsetCases(context),
  ];
}

interface Wrong {
  readonly about: string;
  readonly title: string;
  readonly text: Template;
  readonly mediaType: string | null;
  readonly refused: Refused;
}

/** Bodies that are not JSON, not objects, or have another media type. */
function bodyCases(context: Context, operation: Operation): readonly Case[] {
  const content = operation.body && chosenContent(operation.body.contents);
  if (operation.body === undefined || content === undefined || mediaKind(content.mediaType) !== "json") return [];
  const plan = refusedPlan(context, operation);
  const { mediaType } = content;
  const invalid = refusedWith(context, operation, { usual: [400, 422] });
  const unread = refusedWith(context, operation, { usual: [415, 400, 422] });
  const untyped = sharedUnread(context, operation) ?? unread;
  const types = new Set(partsOf(context.api, content.shape).flatMap((part) => part.types));
  const isObject = types.size > 0 && [...types].every((type) => type === "object");
  const whole: Template = { $json: plan.call.body ?? {} };
  const wrong: readonly Wrong[] = [
    { about: "malformed", title: "that is not JSON", text: "{label: ", mediaType, refused: invalid },
    { about: "truncated", title: "that ends too early", text: '{"a": [1, ', mediaType, refused: invalid },
    { about: "more", title: "that goes on after its end", text: { $text: [whole, "}"] }, mediaType, refused: invalid },
    ...(isObject
      ? (["5", "[]", '"text"', "true"] as const).map((text) => ({
          about: `is-${text.replaceAll(/\W/g, "") || "list"}`,
          title: `that is ${text}`,
          text,
          mediaType,
          refused: invalid,
        }))
      : []),
    {
      about: "text-plain",
      title: "with the media type of text",
      text: whole,
      mediaType: "text/plain",
      refused: untyped,
    },
    { about: "no-type", title: "without a media type", text: whole, mediaType: null, refused: untyped },
  ];
  const cases = wrong.map((each) =>
    refusedCase(context, plan, {
      ...each,
      title: `${operation.name} rejects a body ${each.title}`,
      step: { raw: { text: each.text, mediaType: each.mediaType } },
    }),
  );
  if (!operation.body.required) return cases;
  const { body: _body, ...without } = plan.call;
  const empty = refusedCase(
    context,
    { ...plan, call: without },
    {
      about: "absent",
      title: `${operation.name} rejects a request without its body`,
      // A request without a body has no media type either.
      refused: refusedWith(context, operation, { usual: [400, 422, 415] }),
      step: {},
    },
  );
  return [...cases, empty];
}

/** 415, if the description documents it. */
function sharedUnread(context: Context, operation: Operation): Refused | undefined {
  const found = refusedWith(context, operation, { usual: [415] });
  return context.api.failures.some(({ status }) => status === 415) ? found : undefined;
}

function refusedCase(
  context: Context,
  plan: Plan,
  given: {
    readonly about: string;
    readonly title: string;
    readonly refused: Refused;
    readonly step: Partial<Plan["call"]>;
  },
): Case {
  const { operation } = plan;
  const { about } = given;
  const sources = [
    ...requirementsOf(operation.body?.sources),
    ...given.refused.requirements,
    ...(about === "absent" ? sourcesOfError(context, operation) : []),
  ];
  return caseOf(context, {
    operation,
    kind: "http",
    about: ["http", "body", given.about],
    title: given.title,
    requirements: sources,
    around: sources.length === 0 ? requirementsOf(operation.sources) : [],
    needs: plan.needs,
    steps: [
      ...plan.before,
      { ...calling(plan, given.step), as: "answer", expect: given.refused.expect },
      ...tellsNothing("answer"),
    ],
  });
}

/** Errors reveal nothing of the server's internals. */
export function tellsNothing(name: string): readonly Step[] {
  return [
    {
      check: { $json: { $get: `${name}#/body` } },
      matches: {
        not: { pattern: String.raw`\bat .*\.[cm]?[jt]s:\d+|node_modules|node:internal|Traceback|\.java:\d+` },
      },
      message: "The error reveals its location in the server's code.",
    },
  ];
}

/** Ids that no object can have get the response of a missing object. */
function idCases(context: Context, operation: Operation): readonly Case[] {
  const parameter = operation.parameters.findLast((each) => each.in === "path");
  if (parameter === undefined || parameter.reference === undefined) return [];
  const plan = planOf(context, operation, { objects: "shared" });
  const isNumber = parameter.shape.types.every((type) => type === "integer" || type === "number");
  if (operation.method === "DELETE" && !tellsAbsence(context, operation)) return [];
  const absent = refusedWith(context, operation, { usual: [404] });
  const usual = absent.requirements.length > 0 || context.api.failures.length > 0;
  const expect = usual ? absent.expect : { status: [400, 404, 422] };
  const isFirst = context.api.operations.find((each) => hasParameter(each, parameter)) === operation;
  const wrong: Readonly<Record<string, Template>> = {
    unknown: missingPath(operation, parameter.name)?.[parameter.name] ?? "nowhere",
    huge: "9".repeat(30),
    ...(isNumber ? { "not-a-number": "nonsense" } : {}),
    ...(isFirst ? { long: { $repeat: ["x", 2000] }, encoded: "%00", odd: "'\";--" } : {}),
    ...(isFirst && isNumber
      ? { zero: 0, negative: -1, fraction: "1.5", exponent: "1e3", padded: " 1", hexadecimal: "0x1" }
      : {}),
  };
  return Object.entries(wrong).map(([about, id]) =>
    caseOf(context, {
      operation,
      kind: "http",
      about: ["http", parameter.name, about],
      title: `${operation.name} finds nothing under ${about === "unknown" ? "an id that does not exist" : "an invalid id"}: ${about}`,
      requirements: [...requirementsOf(parameter.sources), ...absent.requirements],
      needs: plan.needs,
      steps: [
        ...plan.before,
        { ...plan.call, path: { ...plan.call.path, [parameter.name]: id }, as: "answer", expect },
        ...tellsNothing("answer"),
      ],
    }),
  );
}

/** The requirements of the error body. */
function sourcesOfError(context: Context, { replies }: Operation): readonly string[] {
  return replies
    .filter(({ status }) => status === 400)
    .flatMap((reply) => {
      const json = jsonContent(reply.contents);
      return [...requirementsOf(reply.sources), ...(json === undefined ? [] : sourcesOf(context, json.shape))];
    });
}

function hasParameter({ parameters }: Operation, { name }: Parameter): boolean {
  return parameters.findLast((each) => each.in === "path")?.name === name;
}

/** A single parameter cannot be repeated. */
function queryCases(context: Context, operation: Operation): readonly Case[] {
  const single = operation.parameters.find(({ in: place, shape }) => {
    const types = partsOf(context.api, shape).flatMap((part) => part.types);
    return place === "query" && types.length > 0 && types.every((type) => type === "integer");
  });
  if (single === undefined || context.api.failures.length === 0) return [];
  const plan = planOf(context, operation, { objects: "shared" });
  const rejected = refusedWith(context, operation, { usual: [400, 422], field: single.name });
  const least = single.shape.minimum ?? 1;
  return [
    caseOf(context, {
      operation,
      kind: "http",
      about: ["http", single.name, "twice"],
      title: `${operation.name} rejects a repeated ${single.name}`,
      requirements: [...requirementsOf(single.sources), ...rejected.requirements],
      needs: plan.needs,
      steps: [
        ...plan.before,
        { ...plan.call, query: { ...plan.call.query, [single.name]: [least, least + 1] }, expect: rejected.expect },
      ],
    }),
  ];
}

/** One operation represents all, since the server limits the size of a body before it routes the request. */
function sizeCases(context: Context): readonly Case[] {
  const isDescribed = context.api.failures.some(({ status }) => status === 413);
  const operation = withBody(context);
  if (!isDescribed || operation === undefined) return [];
  const plan = planOf(context, operation, { objects: "shared" });
  const rejected = refusedWith(context, operation, { usual: [413] });
  const text: Template = { $text: ['{"a":"', { $repeat: ["x", 8_388_608] }, '"}'] };
  return [
    refusedCase(context, plan, {
      about: "too-large",
      title: "A body of 8 MiB is rejected",
      refused: rejected,
      step: { raw: { text, mediaType: "application/json" } },
    }),
  ];
}

/** JSON is UTF-8, with and without a charset parameter. */
function charsetCases(context: Context): readonly Case[] {
  const operation = withBody(context);
  if (operation === undefined) return [];
  const plan = planOf(context, operation, { objects: "own" });
  const text: Template = { $json: plan.call.body ?? {} };
  return ["application/json; charset=utf-8", "Application/JSON"].map((mediaType, at) =>
    caseOf(context, {
      operation,
      kind: "http",
      about: ["http", "body", at === 0 ? "charset" : "upper-case"],
      title: `A body of ${mediaType} is accepted`,
      requirements: requirementsOf(operation.sources),
      needs: plan.needs,
      steps: [...plan.before, calling(plan, { raw: { text, mediaType } })],
    }),
  );
}

function withBody({ api }: Context): Operation | undefined {
  return api.operations.find(({ body, method, path }) => {
    const content = body && chosenContent(body.contents);
    return content?.mediaType === "application/json" && body?.required && method === "POST" && !path.includes("{");
  });
}
