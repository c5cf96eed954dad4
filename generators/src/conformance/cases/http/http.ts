import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import {
  findJsonContent,
  mediaKind,
  type Operation,
  type Parameter,
  preferredContent,
  schemaParts,
  sizeLimits,
} from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { schemaRequirements } from "../../context/response-requirements.js";
import { rejectedPlan } from "../../requests/callers.js";
import { documentsNotFound } from "../../requests/documented-statuses.js";
import { expectRejection, expectUnreadable, type ExpectedRejection } from "../../requests/expect-error.js";
import { callStep, lacksBody, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { pathToMissing } from "../access/required-grants.js";
import { methodCases } from "./methods.js";
import { preconditionCases } from "./preconditions.js";

/** Cases of HTTP rules: invalid bodies, invalid ids, unknown methods and paths. */
export function httpCases(context: ConformanceContext): readonly Case[] {
  const { operations } = context.api;
  return [
    ...operations.flatMap((operation) => [
      ...bodyCases(context, operation),
      ...idCases(context, operation),
      ...queryCases(context, operation),
      ...preconditionCases(context, operation),
    ]),
    ...methodCases(context),
    ...sizeCases(context),
    ...charsetCases(context),
  ];
}

interface InvalidBody {
  readonly about: string;
  readonly title: string;
  readonly text: Template;
  readonly mediaType: string | null;
  readonly rejection: ExpectedRejection;
}

/** Bodies that are not JSON, not objects, or have another media type. */
function bodyCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const content = operation.requestBody && preferredContent(operation.requestBody.contents);
  if (operation.requestBody === undefined || content === undefined || mediaKind(content.mediaType) !== "json")
    return [];
  const plan = rejectedPlan(context, operation);
  const { mediaType } = content;
  const invalid = expectRejection(context, operation, { defaultStatuses: [400, 422] });
  const untyped = sharedMediaTypeError(context, operation) ?? expectUnreadable(context, operation);
  const types = new Set(schemaParts(context.api, content.schema).flatMap((part) => part.types));
  const isObject = types.size > 0 && [...types].every((type) => type === "object");
  const whole: Template = { $json: plan.call.body ?? {} };
  const wrong: readonly InvalidBody[] = [
    { about: "malformed", title: "that is not JSON", text: "{label: ", mediaType, rejection: invalid },
    { about: "truncated", title: "that ends too early", text: '{"a": [1, ', mediaType, rejection: invalid },
    {
      about: "more",
      title: "that goes on after its end",
      text: { $text: [whole, "}"] },
      mediaType,
      rejection: invalid,
    },
    ...(isObject
      ? (["5", "[]", '"text"', "true"] as const).map((text) => ({
          about: `is-${text.replaceAll(/\W/g, "") || "list"}`,
          title: `that is ${text}`,
          text,
          mediaType,
          rejection: invalid,
        }))
      : []),
    ...(operation.requestBody.contents.some((each) => /^(?:text|\*)\//.test(each.mediaType))
      ? []
      : [
          {
            about: "text-plain",
            title: "with the media type of text",
            text: whole,
            mediaType: "text/plain",
            rejection: untyped,
          },
        ]),
    { about: "no-type", title: "without a media type", text: whole, mediaType: null, rejection: untyped },
  ];
  const cases = wrong.map((each) =>
    rejectedBodyCase(context, plan, {
      ...each,
      title: `${operation.name} rejects a body ${each.title}`,
      step: { raw: { text: each.text, mediaType: each.mediaType } },
    }),
  );
  if (!operation.requestBody.required) return cases;
  const { body: _body, ...without } = plan.call;
  const empty = rejectedBodyCase(
    context,
    { ...plan, call: without },
    {
      about: "absent",
      title: `${operation.name} rejects a request without its body`,
      // A request without a body has no media type either.
      rejection: expectUnreadable(context, operation),
      step: {},
    },
  );
  return [...cases, empty];
}

/** 415, if the description documents it. */
function sharedMediaTypeError(context: ConformanceContext, operation: Operation): ExpectedRejection | undefined {
  const rejection = expectRejection(context, operation, { defaultStatuses: [415] });
  return context.api.errors.some(({ status }) => status === 415) ? rejection : undefined;
}

function rejectedBodyCase(
  context: ConformanceContext,
  plan: RequestPlan,
  description: {
    readonly about: string;
    readonly title: string;
    readonly rejection: ExpectedRejection;
    readonly step: Partial<RequestPlan["call"]>;
  },
): Case {
  const { operation } = plan;
  const { about } = description;
  const sources = [
    ...requirementIds(operation.requestBody?.sources),
    ...description.rejection.requirements,
    ...(about === "absent" ? sourcesOfError(context, operation) : []),
  ];
  return createCase(context, {
    operation,
    kind: "http",
    idParts: ["http", "body", description.about],
    title: description.title,
    requirements: sources,
    contextRequirements: sources.length === 0 ? requirementIds(operation.sources) : [],
    requires: plan.requires,
    steps: [
      ...plan.setupSteps,
      { ...callStep(plan, description.step), as: "answer", expect: description.rejection.expect },
      ...hasNoInternals("answer"),
    ],
  });
}

/** Errors reveal nothing of the server's internals. */
export function hasNoInternals(name: string): readonly Step[] {
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
function idCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const parameter = operation.parameters.findLast((each) => each.in === "path");
  if (parameter === undefined || parameter.reference === undefined) return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  if (lacksBody(plan)) return [];
  const isNumber = parameter.schema.types.every((type) => type === "integer" || type === "number");
  if (operation.method === "DELETE" && !documentsNotFound(context, operation)) return [];
  const absent = expectRejection(context, operation, { defaultStatuses: [404] });
  const usual = absent.requirements.length > 0 || context.api.errors.length > 0;
  const expect = usual ? absent.expect : { status: [400, 404, 422] };
  const isFirst = context.api.operations.find((each) => hasParameter(each, parameter)) === operation;
  const wrong: Readonly<Record<string, Template>> = {
    unknown: pathToMissing(operation, parameter.name)?.[parameter.name] ?? "nowhere",
    huge: "9".repeat(30),
    ...(isNumber ? { "not-a-number": "nonsense" } : {}),
    ...(isFirst ? { long: { $repeat: ["x", 2000] }, encoded: "%00", odd: "'\";--" } : {}),
    ...(isFirst && isNumber
      ? { zero: 0, negative: -1, fraction: "1.5", exponent: "1e3", padded: " 1", hexadecimal: "0x1" }
      : {}),
  };
  return Object.entries(wrong).map(([about, id]) =>
    createCase(context, {
      operation,
      kind: "http",
      idParts: ["http", parameter.name, about],
      title: `${operation.name} finds nothing under ${about === "unknown" ? "an id that does not exist" : "an invalid id"}: ${about}`,
      requirements: [...requirementIds(parameter.sources), ...absent.requirements],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        { ...plan.call, path: { ...plan.call.path, [parameter.name]: id }, as: "answer", expect },
        ...hasNoInternals("answer"),
      ],
    }),
  );
}

/** The requirements of the error body. */
function sourcesOfError(context: ConformanceContext, { responses }: Operation): readonly string[] {
  return responses
    .filter(({ status }) => status === 400)
    .flatMap((response) => {
      const json = findJsonContent(response.contents);
      return [
        ...requirementIds(response.sources),
        ...(json === undefined ? [] : schemaRequirements(context, json.schema)),
      ];
    });
}

function hasParameter({ parameters }: Operation, { name }: Parameter): boolean {
  return parameters.findLast((each) => each.in === "path")?.name === name;
}

/** A single parameter cannot be repeated. */
function queryCases(context: ConformanceContext, operation: Operation): readonly Case[] {
  const single = operation.parameters.find(({ in: place, schema }) => {
    const types = schemaParts(context.api, schema).flatMap((part) => part.types);
    return place === "query" && types.length > 0 && types.every((type) => type === "integer");
  });
  if (single === undefined || context.api.errors.length === 0) return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  const rejected = expectRejection(context, operation, { defaultStatuses: [400, 422], field: single.name });
  const least = sizeLimits("number", [single.schema]).least ?? 1;
  return [
    createCase(context, {
      operation,
      kind: "http",
      idParts: ["http", single.name, "twice"],
      title: `${operation.name} rejects a repeated ${single.name}`,
      requirements: [...requirementIds(single.sources), ...rejected.requirements],
      requires: plan.requires,
      steps: [
        ...plan.setupSteps,
        { ...plan.call, query: { ...plan.call.query, [single.name]: [least, least + 1] }, expect: rejected.expect },
      ],
    }),
  ];
}

/** One operation represents all, since the server limits the size of a body before it routes the request. */
function sizeCases(context: ConformanceContext): readonly Case[] {
  const isDescribed = context.api.errors.some(({ status }) => status === 413);
  const operation = withBody(context);
  if (!isDescribed || operation === undefined) return [];
  const plan = planRequest(context, operation, { objects: "shared" });
  const rejected = expectRejection(context, operation, { defaultStatuses: [413] });
  const text: Template = { $text: ['{"a":"', { $repeat: ["x", 8_388_608] }, '"}'] };
  return [
    rejectedBodyCase(context, plan, {
      about: "too-large",
      title: "A body of 8 MiB is rejected",
      rejection: rejected,
      step: { raw: { text, mediaType: "application/json" } },
    }),
  ];
}

/** JSON is UTF-8, with and without a charset parameter. */
function charsetCases(context: ConformanceContext): readonly Case[] {
  const operation = withBody(context);
  if (operation === undefined) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const text: Template = { $json: plan.call.body ?? {} };
  return ["application/json; charset=utf-8", "Application/JSON"].map((mediaType, at) =>
    createCase(context, {
      operation,
      kind: "http",
      idParts: ["http", "body", at === 0 ? "charset" : "upper-case"],
      title: `A body of ${mediaType} is accepted`,
      requirements: requirementIds(operation.sources),
      requires: plan.requires,
      steps: [...plan.setupSteps, callStep(plan, { raw: { text, mediaType } })],
    }),
  );
}

function withBody({ api }: ConformanceContext): Operation | undefined {
  return api.operations.find(({ requestBody, method, path }) => {
    const content = requestBody && preferredContent(requestBody.contents);
    return (
      content?.mediaType === "application/json" && requestBody?.required && method === "POST" && !path.includes("{")
    );
  });
}
