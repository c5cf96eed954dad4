import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Change, Failure } from "../model/api.js";
import { once } from "../model/once.js";
import { unrecorded } from "../model/reads.js";
import { typesOf, type BodyField } from "./body-fields.js";
import { isPlainObject } from "./concrete.js";
import { requirementsOf, type Context } from "./context.js";
import { alwaysOf } from "./layers.js";
import { escape, shownFields } from "./inputs.js";
import { samplesOf, type Place } from "./placing.js";
import { calling } from "./plans.js";
import { literalOf } from "./samples.js";
import { acceptedCase, nameOfField, reading, refusing, showing, type About, type Around } from "./shape-cases.js";
import { likenessOf, shownValue } from "./shown-values.js";
import { saltOf } from "./texts.js";
import { isAcceptable, standingOf } from "./stored-forms.js";
import { keepCases } from "./kept.js";

/** Cases of updates: fields that they keep, and repeated updates. */
export function updateCases(around: Around, places: readonly (readonly [BodyField, Place])[]): readonly Case[] {
  const { operation, read } = around;
  if (read === undefined || (operation.method !== "PUT" && operation.method !== "PATCH")) return [];
  const top = places.filter(([{ pointer }]) => pointer.length === 1);
  const keeps = operation.body?.input.absent === "keep";
  return [
    ...(keeps ? top.flatMap(([field]) => keepCases(around, field)) : []),
    ...(keeps
      ? places
          .filter(([{ pointer }]) => pointer.length > 1 && pointer.length < 4 && !pointer.includes("*"))
          .flatMap(([field]) => keepCases(around, field))
      : []),
    ...top.flatMap(([field, place]) => listCases(around, field, place)),
    ...top.flatMap(([field, place]) => changeCases(around, field, place)),
    ...places
      .filter(([{ pointer }]) => pointer.length === 2)
      .flatMap(([field, place]) => changeCases(around, field, place)),
    ...(keeps ? [] : replacingCases(around)),
    ...sameCases(around),
    ...unchangedCases(around),
    ...partialCases(around, places),
  ];
}

/** A list replaces the stored one. */
function listCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  if (!typesOf(field).includes("array")) return [];
  const { own, context } = around;
  const items = field.parts.flatMap((part) => part.items ?? []).slice(0, 1);
  const samples = items.length === 0 ? [] : samplesOf(context, items);
  const salt = saltOf(`${around.operation.name} ${nameOfField(field)}`);
  const found = [
    [`${salt}-1`],
    [`${salt}-2`],
    ...samples.map((each) => [each]),
    ...samples.slice(0, 1).map((each) => [each, each]),
  ]
    .map((list) => ({ list, body: place.put(list) }))
    .filter(({ body }) => isAcceptable(around, body, field));
  const [first, second] = found;
  const shown =
    second === undefined
      ? undefined
      : showing(
          around,
          field.pointer,
          likenessOf(shownValue(around, field, { body: second.body, value: second.list }) ?? second.list),
        );
  if (first === undefined || second === undefined || shown === undefined) return [];
  const steps: readonly Step[] = [
    ...(standingOf(around, first.body, field)?.before ?? own.before),
    calling(own, { body: first.body }),
    calling(own, { body: second.body }),
    { ...reading(around), expect: { body: shown } },
  ];
  return [acceptedCase(around, about(field, "replaced", "a list replaces the stored one"), steps)];
}

/** With `absent: clear` a body replaces the stored one, with all of its fields. */
function replacingCases(around: Around): readonly Case[] {
  const { own, operation, requirements, context, shape } = around;
  const isOpen = alwaysOf(context, shape).every(({ additionalProperties }) => additionalProperties?.never !== true);
  const [first, second]: readonly Template[] = [{ plumbline_first: "text" }, { plumbline_second: "text" }];
  if (!isOpen || first === undefined || second === undefined) return [];
  if (!isAcceptable(around, first) || !isAcceptable(around, second)) return [];
  const stated = requirementsOf(operation.body?.sources);
  return [
    acceptedCase(
      around,
      {
        kind: "changes",
        about: ["replaced"],
        title: "the body replaces everything that was stored",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.before,
        calling(own, { body: first }),
        calling(own, { body: second }),
        { ...reading(around), expect: { body: { not: { type: "object", required: ["plumbline_first"] } } } },
      ],
    ),
  ];
}

/** Fields that can change in one direction only. */
function changeCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const change = field.property?.change;
  if (change === undefined) return [];
  if (change.rule === "one-way") return oneWayCases(around, field, place, change);
  if (change.rule === "create-only") return fixedCases(around, field, place, change);
  return [];
}

function failureOf({ operation, context }: Around, change: Change): Failure | undefined {
  const all = [...operation.failures, ...context.api.failures, ...failuresOfShapes(context)];
  return all.find(({ id }) => id === change.error);
}

/** The errors that schemas name. Reading only these does not record a dependency on all schemas. */
export function failuresOfShapes({ api }: Context): readonly Failure[] {
  return unrecorded(() => knownFailures(api));
}

const knownFailures = once((api) => api.shapes.flatMap(({ shape }) => shape.failures ?? []));

/** The expectation of a described error. */
function failing(around: Around, field: BodyField, failure: Failure): Step {
  const blamed = failure.field === undefined ? nameOfField(field) : failure.field;
  const { expect } = { expect: refusing(around, blamed ?? "") };
  return { ...calling(around.own, {}), expect: { ...expect, status: failure.status } };
}

function about(field: BodyField, what: string, says: string): About {
  const name = nameOfField(field);
  return { kind: "changes", about: [name, what], title: `${name}: ${says}`, requirements: field.requirements };
}

function oneWayCases(around: Around, field: BodyField, place: Place, change: Change): readonly Case[] {
  const { own } = around;
  const failure = failureOf(around, change);
  const isBoolean = typesOf(field).includes("boolean");
  if (failure === undefined || change.to === undefined || !isBoolean) return [];
  const to = literalOf(change.to);
  const back = change.to !== true;
  const there: Step = { ...calling(own, { body: place.put(to) }) };
  const rejectedUndo: Step = { ...failing(around, field, failure), body: place.put(back) };
  const shown = showing(around, field.pointer, { const: to });
  const read: Step[] = shown === undefined ? [] : [{ ...reading(around), expect: { body: shown } }];
  return [
    acceptedCase(around, about(field, "one-way", `${JSON.stringify(change.to)} is accepted, and cannot be undone`), [
      ...own.before,
      there,
      ...read,
      rejectedUndo,
      ...read,
    ]),
  ];
}

/** Immutable fields: their stored value is accepted, any other is rejected. */
function fixedCases(around: Around, field: BodyField, place: Place, change: Change): readonly Case[] {
  const { own, context } = around;
  const current: Template = { $get: `before#/body/${field.pointer.map(escape).join("/")}` };
  const shown = showing(around, field.pointer, { const: current });
  if (shown === undefined) return [];
  const before: Step = { ...reading(around), as: "before" };
  const read: Step = { ...reading(around), expect: { body: shown } };
  const repeated = acceptedCase(around, about(field, "repeated", "its stored value is accepted"), [
    ...own.before,
    before,
    calling(own, { body: place.put(current) }),
    read,
  ]);
  const failure = failureOf(around, change);
  const others = samplesOf(context, [field.shape]).slice(-1);
  return [
    repeated,
    ...others.map((value) =>
      acceptedCase(
        around,
        about(field, "changed", failure === undefined ? "another value is ignored" : "another value is rejected"),
        [
          ...own.before,
          before,
          failure === undefined
            ? calling(own, { body: place.put(value) })
            : { ...failing(around, field, failure), body: place.put(value) },
          read,
        ],
      ),
    ),
  ];
}

/** A repeated update changes nothing. Unique values are those of the first request. */
function sameCases(around: Around): readonly Case[] {
  const { own, fitting, requirements, operation } = around;
  const stated = requirementsOf(operation.body?.sources);
  const known = steady(around);
  if (known.length === 0 || !isPlainObject(fitting)) return [];
  return [sameCase(around, known, fitting, stated.length === 0 ? requirements : stated, own.before)];
}

function sameCase(
  around: Around,
  known: readonly string[],
  body: Template,
  requirements: readonly string[],
  before: readonly Step[],
): Case {
  const { own } = around;
  const again: Template = { $get: "once#/request/body" };
  const kept: Template = {
    type: "object",
    properties: Object.fromEntries(
      known.map((name) => [name, { const: { $get: `first#/body/${escape(name)}` } }] as const),
    ),
  };
  return acceptedCase(
    around,
    { kind: "changes", about: ["again"], title: "a repeated update has no further effect", requirements },
    [
      ...before,
      { ...calling(own, { body }), as: "once" },
      { ...reading(around), as: "first" },
      calling(own, { body: again }),
      { ...reading(around), expect: { body: kept } },
    ],
  );
}

/** Fields that requests set and responses have. */
function steady(around: Around): readonly string[] {
  const shown = new Set(shownFields(around).map(({ name }) => name));
  return around.fields
    .filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly && shown.has(pointer[0] ?? ""))
    .map(({ pointer }) => pointer[0] ?? "");
}

/** The representation of a read, sent back. */
function unchangedCases(around: Around): readonly Case[] {
  const { operation, own, requirements } = around;
  if (operation.body?.input.unchanged !== "accept") return [];
  const stated = requirementsOf(operation.body.sources);
  const known = steady(around);
  const kept: Template = {
    type: "object",
    properties: Object.fromEntries(
      known.map((name) => [name, { const: { $get: `before#/body/${escape(name)}` } }] as const),
    ),
  };
  return [
    acceptedCase(
      around,
      {
        kind: "changes",
        about: ["unchanged"],
        title: "an update with the representation of a read changes nothing",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.before,
        { ...reading(around), as: "before" },
        calling(own, { body: { $get: "before#/body" } }),
        { ...reading(around), expect: { body: kept } },
      ],
    ),
  ];
}

/** An update of a valid and an invalid field changes neither. */
function partialCases(around: Around, places: readonly (readonly [BodyField, Place])[]): readonly Case[] {
  const { own, fitting, requirements, operation, tells } = around;
  const known = steady(around);
  if (!isPlainObject(fitting) || known.length === 0) return [];
  const found = places.find(([field]) => {
    const [name = ""] = field.pointer;
    return (
      field.pointer.length === 1 && !(name in fitting) && field.parts.every(({ types }) => !types.includes("object"))
    );
  });
  const [field] = found ?? places.findLast(([each]) => each.pointer.length === 1) ?? [];
  if (field === undefined) return [];
  const stated = requirementsOf(operation.body?.sources);
  const kept: Template = {
    type: "object",
    properties: Object.fromEntries(
      known.map((name) => [name, { const: { $get: `before#/body/${escape(name)}` } }] as const),
    ),
  };
  const body = { ...fitting, [field.pointer[0] ?? ""]: { not: "of this type" } };
  return [
    acceptedCase(
      around,
      {
        kind: "changes",
        about: ["refused-in-part"],
        title: "an update with one invalid field changes no field",
        requirements: stated.length === 0 ? requirements : stated,
      },
      [
        ...own.before,
        { ...reading(around), as: "before" },
        { ...calling(own, { body }), expect: refusing(around, tells ? nameOfField(field) : undefined) },
        { ...reading(around), expect: { body: kept } },
      ],
    ),
  ];
}
