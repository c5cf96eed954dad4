import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { type Property, findJsonContent } from "@plumbline/kit/model";
import { createCase, requirementIds } from "../../context/context.js";
import { extraRequirements } from "../../context/extra-requirements.js";
import { isAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep, expectStep } from "../../requests/request-plan.js";
import { withValue } from "../../values/body-mutations.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { schemaSample } from "../../values/samples.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { validateTemplate } from "../../values/template-validation.js";
import { createAcceptedCase, readStep, expectRejectedField, sendAndRead } from "./body-cases.js";

/** Cases of undocumented fields, read-only fields, missing bodies, and bodies of other types. */
export function undocumentedInputCases(context: BodyCaseContext): readonly Case[] {
  return [...unknownCases(context), ...readOnlyCases(context), ...wholeBodyCases(context), ...severalCases(context)];
}

/** Two invalid fields: both are reported. Only if the settings assign a requirement to the case. */
function severalCases(around: BodyCaseContext): readonly Case[] {
  const { context, operation, schema, acceptedBody, shared, nulls, rejectionStatus, namesFields } = around;
  const stated = namesFields
    ? extraRequirements(context.settings, `${operation.tag}/${operation.name}/several-problems`)
    : [];
  const names = (isPlainObject(acceptedBody) ? unconditionalLayers(context, schema) : [])
    .flatMap(({ properties = [] }) => properties)
    .filter(({ readOnly }) => !readOnly)
    .map(({ name }) => name);
  const wrong = names.filter((name) => {
    const issues = validateTemplate(context, schema, withValue(acceptedBody, [name], true), nulls);
    return issues.length === 1 && issues[0]?.keyword === "type" && issues[0].path.join(".") === name;
  });
  const [one, other] = wrong;
  if (stated.length === 0 || one === undefined || other === undefined) return [];
  const entry = (field: string): Template => ({
    contains: { properties: { field: { const: field } }, required: ["field"] },
  });
  const body = withValue(withValue(acceptedBody, [one], true), [other], true);
  return [
    createCase(context, {
      operation,
      kind: "errors",
      idParts: ["several-problems"],
      title: `${one} and ${other} are both reported when both are invalid`,
      requirements: stated,
      requires: shared.requires,
      exclusive: shared.exclusive,
      steps: [
        ...shared.setupSteps,
        {
          ...callStep(shared, { body }),
          expect: {
            status: rejectionStatus,
            body: {
              type: "object",
              properties: { errors: { allOf: [entry(one), entry(other)] } },
              required: ["errors"],
            },
          },
        },
      ],
    }),
  ];
}

function unknownCases(around: BodyCaseContext): readonly Case[] {
  const { context, operation, schema, acceptedBody, own, shared, requirements } = around;
  const always = unconditionalLayers(context, schema);
  const others = always.map(({ additionalProperties }) => additionalProperties).filter((each) => each !== undefined);
  const isOpen = others.some((each) => !each.never) || !always.some(({ properties = [] }) => properties.length > 0);
  if (!isPlainObject(acceptedBody) || isOpen || operation.requestBody === undefined) return [];
  const isRejected = operation.requestBody.input.unknown === "reject" || others.some((each) => each.never);
  const stated = requirementIds(operation.requestBody.sources);
  const about = {
    kind: "input",
    idParts: ["unknown-field"],
    requirements: stated.length === 0 ? requirements : stated,
  } as const;
  const body = { ...acceptedBody, plumbline_unknown: "text" };
  if (isRejected)
    return [
      createCase(context, {
        operation,
        ...about,
        title: "an undocumented field is rejected",
        requires: shared.requires,
        exclusive: shared.exclusive,
        steps: [
          ...shared.setupSteps,
          { ...callStep(shared, { body }), expect: expectRejectedField(around, "plumbline_unknown") },
        ],
      }),
    ];
  const notShown: Template = { not: { type: "object", required: ["plumbline_unknown"] } };
  const steps: readonly Step[] =
    around.read === undefined
      ? [...own.setupSteps, expectStep(own, around.responseSchema === undefined ? {} : { body: notShown }, { body })]
      : [...own.setupSteps, ...sendAndRead(around, body, notShown)];
  return [createAcceptedCase(around, { ...about, title: "an undocumented field is ignored" }, steps)];
}

/** A read-only field sent with another value does not get this value. A field that the body forbids is an undocumented one. */
function readOnlyCases(around: BodyCaseContext): readonly Case[] {
  const { operation, acceptedBody, own, read, requirements, context } = around;
  if (
    read === undefined ||
    operation.method === "POST" ||
    !isPlainObject(acceptedBody) ||
    operation.requestBody === undefined
  )
    return [];
  const { input } = operation.requestBody;
  const keeps = operation.requestBody.input.absent === "keep";
  return responseFields(around)
    .filter((each) => isSetByServer(around, each))
    .slice(0, 30)
    .map((property) => {
      // Other changes of the body may change read-only fields.
      const bare: Template = isAcceptable(around, {}) && keeps ? {} : acceptedBody;
      const body = { ...bare, [property.name]: otherThan(around, property) };
      const stated = unconditionalLayers(context, property.schema).flatMap(({ sources }) => requirementIds(sources));
      const about = {
        kind: "input",
        idParts: [property.name, "set-by-the-sender"],
        requirements: [...new Set([...stated, ...requirements])],
      } as const;
      if ((property.readOnly ? input.readOnly : input.unknown) === "reject")
        return createAcceptedCase(around, { ...about, title: `${property.name}: a read-only field is rejected` }, [
          ...own.setupSteps,
          { ...callStep(own, { body }), expect: expectRejectedField(around, property.name) },
        ]);
      // The server may change the field by itself, as it does with the time of an update.
      const unchanged: Template = {
        type: "object",
        properties: {
          [property.name]: {
            anyOf: [
              { const: { $get: `before#/body/${escapePointerToken(property.name)}` } },
              { not: { const: body[property.name] ?? null } },
            ],
          },
        },
      };
      return createAcceptedCase(around, { ...about, title: `${property.name}: a read-only field is ignored` }, [
        ...own.setupSteps,
        { ...readStep(around), as: "before" },
        callStep(own, { body }),
        { ...readStep(around), expect: { body: unchanged } },
      ]);
    });
}

/** The properties of the resource's response. */
export function responseFields({ context, read }: BodyCaseContext): readonly Property[] {
  const response = read?.operation.responses.find(({ status }) => status === 200);
  const schema = response && findJsonContent(response.contents)?.schema;
  if (schema === undefined) return [];
  const all = unconditionalLayers(context, schema).flatMap(({ properties = [] }) => properties);
  return [...new Map(all.map((each) => [each.name, each] as const)).values()];
}

/** The names of fields that every read has. Others may be absent until they are set. */
export function requiredResponseFields({ context, read }: BodyCaseContext): ReadonlySet<string> {
  const response = read?.operation.responses.find(({ status }) => status === 200);
  const schema = response && findJsonContent(response.contents)?.schema;
  const layers = schema === undefined ? [] : unconditionalLayers(context, schema);
  return new Set(
    layers.flatMap(({ required = [], properties = [] }) => [
      ...required,
      ...properties.flatMap((each) => (each.required ? [each.name] : [])),
    ]),
  );
}

/** True for a field that the request does not set, and that does not change by itself. */
function isSetByServer(
  { context, fields, schema: body }: BodyCaseContext,
  { name, schema, readOnly, mutability }: Property,
): boolean {
  const parts = unconditionalLayers(context, schema);
  const isTime = parts.some(({ format }) => format === "date-time");
  const isSent = fields.some(({ pointer, readOnly: only }) => pointer.length === 1 && pointer[0] === name && !only);
  const isHidden = parts.some(({ visibility }) => visibility !== undefined);
  const layers = unconditionalLayers(context, body);
  const isOpen = layers.every(({ properties = [] }) => properties.length === 0);
  const isForbidden = layers.some(({ additionalProperties }) => additionalProperties?.never === true);
  const isFixed = readOnly || mutability?.rule === "immutable";
  return (
    isFixed && !isForbidden && !isOpen && !isSent && !isHidden && !(isTime && /updated|modified|seen|last/i.test(name))
  );
}

/** A value of the right type that the server is unlikely to choose. */
function otherThan({ context }: BodyCaseContext, { schema }: Property): Template {
  const parts = unconditionalLayers(context, schema);
  const types = new Set(parts.flatMap(({ types: each }) => each));
  const values = parts.find(({ enum: each }) => each !== undefined)?.enum;
  if (values !== undefined) return values.findLast((each) => each !== null) ?? null;
  if (types.has("integer") || types.has("number")) return 987654321;
  if (types.has("boolean")) return true;
  if (types.has("array")) return [];
  if (types.has("string"))
    return parts.some(({ format }) => format === "date-time") ? "2001-01-01T00:00:00Z" : "plumbline";
  return schemaSample(context, schema);
}

/** Missing bodies, and bodies that are not objects. */
function wholeBodyCases(around: BodyCaseContext): readonly Case[] {
  const { context, operation, shared, schema, requirements } = around;
  if (operation.requestBody === undefined) return [];
  const isObject = unconditionalLayers(context, schema).some(({ types }) => types.includes("object"));
  const about = (what: string, says: string, call: Partial<typeof shared.call>, field: string | undefined): Case =>
    createCase(context, {
      operation,
      kind: call.body === undefined ? "required" : "types",
      idParts: ["body", what],
      title: says,
      requirements,
      requires: shared.requires,
      exclusive: shared.exclusive,
      steps: [...shared.setupSteps, { ...callStep(shared, call), expect: expectRejectedField(around, field) }],
    });
  const { body: _body, ...bare } = shared.call;
  // A request without a body has no media type either, so a description without errors may respond with 415.
  const isNumbered = operation.responses.some(({ status }) => status === 400 || status === 422);
  const absent =
    context.api.errors.length === 0 || !isNumbered
      ? { status: [400, 415, 422] }
      : expectRejectedField(around, undefined);
  const without: Case = createCase(context, {
    operation,
    kind: "required",
    idParts: ["body", "none"],
    title: "a request without a body is rejected",
    requirements,
    requires: shared.requires,
    exclusive: shared.exclusive,
    steps: [...shared.setupSteps, { ...bare, expect: absent }],
  });
  return [
    ...(operation.requestBody.required ? [without] : []),
    ...(isObject
      ? [
          about("list", "a list instead of the body is rejected", { body: [] }, undefined),
          about("text", "a text instead of the body is rejected", { body: "text" }, undefined),
          about("number", "a number instead of the body is rejected", { body: 5 }, undefined),
          about("null", "null instead of the body is rejected", { body: null }, undefined),
        ]
      : []),
  ];
}
