import { alsoOf } from "./also.js";
import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Property } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { isPlainObject } from "./concrete.js";
import { caseOf, requirementsOf } from "./context.js";
import { alwaysOf } from "./layers.js";
import { calling, expecting } from "./plans.js";
import { misfitsOf } from "./judge.js";
import { withValue } from "./placing.js";
import { sampleOf } from "./samples.js";
import { acceptedCase, reading, refusing, sentAndRead, type Around } from "./shape-cases.js";
import { isAcceptable } from "./stored-forms.js";

/** Cases of undocumented fields, read-only fields, missing bodies, and bodies of other types. */
export function inputCases(around: Around): readonly Case[] {
  return [...unknownCases(around), ...readOnlyCases(around), ...wholeCases(around), ...severalCases(around)];
}

/** Two invalid fields: both are reported. Only if the settings assign a requirement to the case. */
function severalCases(around: Around): readonly Case[] {
  const { context, operation, shape, fitting, shared, nulls, refusal, tells } = around;
  const stated = tells ? alsoOf(context.settings, `${operation.area}/${operation.name}/several-problems`) : [];
  const names = (isPlainObject(fitting) ? alwaysOf(context, shape) : [])
    .flatMap(({ properties = [] }) => properties)
    .filter(({ readOnly }) => !readOnly)
    .map(({ name }) => name);
  const wrong = names.filter((name) => {
    const found = misfitsOf(context, shape, withValue(fitting, [name], true), nulls);
    return found.length === 1 && found[0]?.keyword === "type" && found[0].path.join(".") === name;
  });
  const [one, other] = wrong;
  if (stated.length === 0 || one === undefined || other === undefined) return [];
  const entry = (field: string): Template => ({
    contains: { properties: { field: { const: field } }, required: ["field"] },
  });
  const body = withValue(withValue(fitting, [one], true), [other], true);
  return [
    caseOf(context, {
      operation,
      kind: "errors",
      about: ["several-problems"],
      title: `${one} and ${other} are both reported when both are invalid`,
      requirements: stated,
      needs: shared.needs,
      alone: shared.alone,
      steps: [
        ...shared.before,
        {
          ...calling(shared, { body }),
          expect: {
            status: refusal,
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

function unknownCases(around: Around): readonly Case[] {
  const { context, operation, shape, fitting, own, shared, requirements } = around;
  const always = alwaysOf(context, shape);
  const others = always.map(({ additionalProperties }) => additionalProperties).filter((each) => each !== undefined);
  const isOpen = others.some((each) => !each.never) || !always.some(({ properties = [] }) => properties.length > 0);
  if (!isPlainObject(fitting) || isOpen || operation.body === undefined) return [];
  const isRefused = operation.body.input.unknown === "refuse" || others.some((each) => each.never);
  const stated = requirementsOf(operation.body.sources);
  const about = {
    kind: "input",
    about: ["unknown-field"],
    requirements: stated.length === 0 ? requirements : stated,
  } as const;
  const body = { ...fitting, plumbline_unknown: "text" };
  if (isRefused)
    return [
      caseOf(context, {
        operation,
        ...about,
        title: "an undocumented field is rejected",
        needs: shared.needs,
        alone: shared.alone,
        steps: [...shared.before, { ...calling(shared, { body }), expect: refusing(around, "plumbline_unknown") }],
      }),
    ];
  const notShown: Template = { not: { type: "object", required: ["plumbline_unknown"] } };
  const steps: readonly Step[] =
    around.read === undefined
      ? [...own.before, expecting(own, around.reply === undefined ? {} : { body: notShown }, { body })]
      : [...own.before, ...sentAndRead(around, body, notShown)];
  return [acceptedCase(around, { ...about, title: "an undocumented field is ignored" }, steps)];
}

/** A read-only field sent with another value keeps its value. */
function readOnlyCases(around: Around): readonly Case[] {
  const { operation, fitting, own, read, requirements, context } = around;
  if (read === undefined || operation.method === "POST" || !isPlainObject(fitting) || operation.body === undefined)
    return [];
  const { input } = operation.body;
  const keeps = operation.body.input.absent === "keep";
  return shownFields(around)
    .filter((each) => isServers(around, each))
    .slice(0, 30)
    .map((property) => {
      // Other changes of the body may change read-only fields.
      const bare: Template = isAcceptable(around, {}) && keeps ? {} : fitting;
      const body = { ...bare, [property.name]: otherThan(around, property) };
      const stated = alwaysOf(context, property.shape).flatMap(({ sources }) => requirementsOf(sources));
      const about = {
        kind: "input",
        about: [property.name, "set-by-the-sender"],
        requirements: [...new Set([...stated, ...requirements])],
      } as const;
      if ((property.readOnly ? input.readOnly : input.unknown) === "refuse")
        return acceptedCase(around, { ...about, title: `${property.name}: a read-only field is rejected` }, [
          ...own.before,
          { ...calling(own, { body }), expect: refusing(around, property.name) },
        ]);
      const kept: Template = {
        type: "object",
        properties: { [property.name]: { const: { $get: `before#/body/${escape(property.name)}` } } },
      };
      return acceptedCase(around, { ...about, title: `${property.name}: a read-only field is ignored` }, [
        ...own.before,
        { ...reading(around), as: "before" },
        calling(own, { body }),
        { ...reading(around), expect: { body: kept } },
      ]);
    });
}

/** The properties of the resource's response. */
export function shownFields({ context, read }: Around): readonly Property[] {
  const reply = read?.operation.replies.find(({ status }) => status === 200);
  const shape = reply && jsonContent(reply.contents)?.shape;
  if (shape === undefined) return [];
  const all = alwaysOf(context, shape).flatMap(({ properties = [] }) => properties);
  return [...new Map(all.map((each) => [each.name, each] as const)).values()];
}

/** True for a field that the request does not set, and that does not change by itself. */
function isServers({ context, fields, shape: body }: Around, { name, shape }: Property): boolean {
  const parts = alwaysOf(context, shape);
  const isTime = parts.some(({ format }) => format === "date-time");
  const isSent = fields.some(({ pointer, readOnly: only }) => pointer.length === 1 && pointer[0] === name && !only);
  const isHidden = parts.some(({ visible }) => visible !== undefined);
  const isOpen = alwaysOf(context, body).every(({ properties = [] }) => properties.length === 0);
  return !isOpen && !isSent && !isHidden && !(isTime && /updated|modified|seen|last/i.test(name));
}

/** A value of the right type that the server is unlikely to choose. */
function otherThan({ context }: Around, { shape }: Property): Template {
  const parts = alwaysOf(context, shape);
  const types = new Set(parts.flatMap(({ types: each }) => each));
  const values = parts.find(({ enum: each }) => each !== undefined)?.enum;
  if (values !== undefined) return values.findLast((each) => each !== null) ?? null;
  if (types.has("integer") || types.has("number")) return 987654321;
  if (types.has("boolean")) return true;
  if (types.has("array")) return [];
  if (types.has("string"))
    return parts.some(({ format }) => format === "date-time") ? "2001-01-01T00:00:00Z" : "plumbline";
  return sampleOf(context, shape);
}

/** Missing bodies, and bodies that are not objects. */
function wholeCases(around: Around): readonly Case[] {
  const { context, operation, shared, shape, requirements } = around;
  if (operation.body === undefined) return [];
  const isObject = alwaysOf(context, shape).some(({ types }) => types.includes("object"));
  const about = (what: string, says: string, call: Partial<typeof shared.call>, field: string | undefined): Case =>
    caseOf(context, {
      operation,
      kind: call.body === undefined ? "required" : "types",
      about: ["body", what],
      title: says,
      requirements,
      needs: shared.needs,
      alone: shared.alone,
      steps: [...shared.before, { ...calling(shared, call), expect: refusing(around, field) }],
    });
  const { body: _body, ...bare } = shared.call;
  // A request without a body has no media type either, so a description without errors may respond with 415.
  const absent = context.api.failures.length === 0 ? { status: [400, 415, 422] } : refusing(around, undefined);
  const without: Case = caseOf(context, {
    operation,
    kind: "required",
    about: ["body", "none"],
    title: "a request without a body is rejected",
    requirements,
    needs: shared.needs,
    alone: shared.alone,
    steps: [...shared.before, { ...bare, expect: absent }],
  });
  return [
    ...(operation.body.required ? [without] : []),
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

/** A name as a token of a JSON pointer. */
export function escape(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
