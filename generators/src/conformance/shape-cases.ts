import type { CallStep, Case, Expect, Kind, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation, Shape } from "../model/api.js";
import { jsonContent } from "../model/media.js";
import { onceEach } from "../model/once.js";
import { bodyFieldsOf, dotted, type BodyField } from "./body-fields.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { madeBy } from "./facts.js";
import { misfitsOf } from "./judge.js";
import { alwaysOf, bothOf, formsOf } from "./layers.js";
import { leavings } from "./leavings.js";
import { placeOf, valueAt, type Bodies, type Place } from "./placing.js";
import { standingOf } from "./stored-forms.js";
import { calling, given, isCertain, planOf, type Plan } from "./plans.js";
import { likenessOf, shownValue } from "./shown-values.js";

/** The input of the cases of one operation's body. */
export interface Around extends Bodies {
  readonly operation: Operation;
  /** The requirements of the body, else those of the operation. */
  readonly requirements: readonly string[];
  readonly shared: Plan;
  readonly own: Plan;
  readonly fields: readonly BodyField[];
  /** True when errors name the invalid field. */
  readonly tells: boolean;
  readonly refusal: number | readonly number[];
  /** The schema of a successful response. */
  readonly reply: Shape | undefined;
  /** The read of the created or updated object. Its path refers to the response as `answer`. */
  readonly read: { readonly operation: Operation; readonly path: Readonly<Record<string, Template>> } | undefined;
}

/** Undefined for an operation without a JSON body, or with unknown objects in its path. */
export function aroundOf(context: Context, operation: Operation): Around | undefined {
  // With an unknown object in the path the server may respond 404 before it validates the body.
  if (!isCertain(context, operation)) return undefined;
  const content = operation.body && jsonContent(operation.body.contents);
  if (operation.body === undefined || content === undefined) return undefined;
  const own = planOf(context, operation, { objects: "own" });
  const shared = planOf(context, operation, { objects: "shared" });
  const stated = [...requirementsOf(content.shape.sources), ...requirementsOf(operation.body.sources)];
  const requirements = stated.length > 0 ? stated : requirementsOf(operation.sources);
  const success = operation.replies.find(({ status }) => String(status).startsWith("2"));
  return {
    context,
    operation,
    requirements,
    shared,
    own,
    shape: content.shape,
    fitting: own.call.body ?? {},
    nulls: operation.body.input.nulls,
    fields: bodyFieldsOf(context, content.shape, requirements),
    tells: tellsFields(context, operation),
    refusal: refusalOf(operation),
    // A response that has the created object in a field shows values at other pointers than the request.
    reply:
      (madeBy(context.api, operation)?.at ?? "") === "" ? success && jsonContent(success.contents)?.shape : undefined,
    read: readerOf(context, operation, own),
  };
}

export interface About {
  readonly kind: Kind;
  readonly about: readonly string[];
  readonly title: string;
  readonly requirements: readonly string[];
  /** A body to store first, so that the tested body differs from the stored one. */
  readonly first?: Template;
}

/** Cases of a rejected body. Empty when the body may be valid. */
export function refused(around: Around, body: Template, { first: earlier, ...about }: About): readonly Case[] {
  const { context, operation, shape, nulls } = around;
  const found = misfitsOf(context, shape, body, nulls);
  const [first] = found;
  if (first === undefined) return [];
  const field = first.vague || found.length > 1 ? undefined : first.path.join(".");
  const stored = earlier === undefined ? undefined : standingOf(around, earlier);
  const plan = stored === undefined ? around.shared : around.own;
  const steps = stored === undefined ? plan.before : [...stored.before, calling(plan, { body: stored.body })];
  const refusal: Step = { ...calling(plan, { body }), expect: refusing(around, field) };
  const left = earlier === undefined ? [] : leavings(around, [earlier]);
  const all = [...steps, refusal, ...left];
  return [caseOf(context, { operation, ...about, needs: plan.needs, alone: plan.alone, steps: all })];
}

/** The expected error for an invalid field: "" for the complete body, undefined for any field. */
export function refusing({ refusal, tells }: Around, field: string | undefined): Expect {
  if (!tells) return { status: refusal };
  return { status: refusal, error: field === undefined ? {} : { field: field === "" ? null : field } };
}

/** Cases of an accepted body, whose field is stored. Empty when the body may be rejected. */
export function accepted(
  around: Around,
  body: Template,
  { field, first, ...about }: About & { readonly field: BodyField },
): readonly Case[] {
  const standing = standingOf(around, body, field);
  if (standing === undefined) return [];
  const earlier = first === undefined ? undefined : standingOf(around, first, field);
  const before = earlier === undefined ? [] : [given(calling(around.own, { body: earlier.body }))];
  const value = valueAt(body, field.pointer);
  // A nested null may remove its object.
  const isTold = value !== undefined && !(value === null && field.pointer.length > 1);
  const shown = isTold ? shownValue(around, field, { body, value }) : undefined;
  const expect = shown === undefined ? undefined : showing(around, field.pointer, likenessOf(shown));
  return [
    acceptedCase(around, about, [
      ...(earlier?.before ?? standing.before),
      ...before,
      ...sentAndRead(around, standing.body, expect),
    ]),
  ];
}

/** A case with objects of its own. It deletes objects that the server creates for names in the body. */
export function acceptedCase(around: Around, about: About, steps: readonly Step[]): Case {
  const { context, operation, own } = around;
  const bodies = steps.flatMap((step) => ("call" in step && step.call === operation.name ? (step.body ?? []) : []));
  const left = leavings(around, bodies);
  return caseOf(context, { operation, ...about, needs: own.needs, alone: own.alone, steps: [...steps, ...left] });
}

/** The call with a body, followed by a read; both responses must match. */
export function sentAndRead(around: Around, body: Template, shown: Template | undefined): readonly Step[] {
  const { own, read, reply } = around;
  const expect: Pick<CallStep, "expect"> = shown === undefined ? {} : { expect: { body: shown } };
  const sent: Step = { ...calling(own, { body }), as: "answer", ...(reply === undefined ? {} : expect) };
  return read === undefined || shown === undefined ? [sent] : [sent, { ...reading(around), ...expect }];
}

/** A read of the created or updated object. */
export function reading({ own, read }: Around): CallStep {
  if (read === undefined) throw new RangeError("reading: no operation reads the object");
  const path = Object.keys(read.path).length === 0 ? {} : { path: read.path };
  return { call: read.operation.name, ...(own.call.by === undefined ? {} : { by: own.call.by }), ...path };
}

/** A JSON Schema of a response with a value in a field. Undefined when responses do not have the field. */
export function showing(around: Around, pointer: readonly string[], value: Template): Template | undefined {
  const { context, reply, read } = around;
  const isShown = (shape: Shape): boolean => shownAt(context, [shape], pointer);
  const replies = read?.operation.replies.find(({ status }) => status === 200);
  const other = replies && jsonContent(replies.contents)?.shape;
  const shapes = [reply, ...(read === undefined ? [] : [other])].filter((each) => each !== undefined);
  return shapes.length > 0 && shapes.every(isShown) ? schemaAt(pointer, value) : undefined;
}

/** A JSON Schema of a value with a nested schema at a pointer. */
export function schemaAt([token, ...rest]: readonly string[], value: Template): Template {
  if (token === undefined) return value;
  const inner = schemaAt(rest, value);
  if (token === "*") return { type: "array", minItems: 1, prefixItems: [inner] };
  return { type: "object", required: [token], properties: { [token]: inner } };
}

function shownAt(context: Context, shapes: readonly Shape[], [token, ...rest]: readonly string[]): boolean {
  if (shapes.some(({ visible }) => visible !== undefined)) return false;
  if (token === undefined) return true;
  const inner = shapes.flatMap((shape) => shownIn(context, shape).get(token) ?? []);
  if (inner.length === 0) return false;
  const always = inner.flatMap((shape) => alwaysOf(context, shape));
  return shownAt(context, always, rest);
}

/** The visible properties of a schema, by name, with `*` for items. */
function shownIn(context: Context, shape: Shape): ReadonlyMap<string, readonly Shape[]> {
  return shownShapes(context.api, shape, () => findShown(context, shape));
}

const shownShapes = onceEach<Shape, ReadonlyMap<string, readonly Shape[]>>();

function findShown(context: Context, shape: Shape): ReadonlyMap<string, readonly Shape[]> {
  const found = new Map<string, Shape[]>();
  const add = (token: string, inner: Shape): void => void found.set(token, [...(found.get(token) ?? []), inner]);
  for (const { items, properties = [] } of new Set([...alwaysOf(context, shape), ...formsOf(context, shape).flat()])) {
    if (items !== undefined) add("*", items);
    for (const { name, shape: inner, writeOnly } of properties) if (!writeOnly) add(name, inner);
  }
  return found;
}

/** Fields that a request can set, with a body for each. */
export function placesOf(around: Around): readonly (readonly [BodyField, Place])[] {
  return around.fields.flatMap((field) => {
    if (field.readOnly) return [];
    const place = placeOf(around, field);
    return place === undefined ? [] : [[field, place] as const];
  });
}

/** The field in titles: `target`, or `AAAA: target` in a branch. */
export function nameOfField({ pointer, form }: BodyField): string {
  return form === undefined ? dotted(pointer) : `${form}: ${dotted(pointer)}`;
}

function readerOf(context: Context, operation: Operation, { call }: Plan): Around["read"] {
  const { api } = context;
  const made = madeBy(api, operation);
  if (made !== undefined) {
    const read = api.operations.find(({ name }) => name === made.resource.read);
    const parameters = read?.parameters.filter((each) => each.in === "path") ?? [];
    const last = parameters.at(-1);
    if (read === undefined || last === undefined) return undefined;
    const outer = parameters.slice(0, -1).map((each) => [each.name, call.path?.[each.name]] as const);
    if (outer.some(([, value]) => value === undefined)) return undefined;
    const own = [last.name, { $get: `answer#/body${made.at}/${last.reference?.by ?? "id"}` }] as const;
    return {
      operation: read,
      path: Object.fromEntries([...outer.map(([name, value]) => [name, value ?? null] as const), own]),
    };
  }
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const read = api.operations.find(({ method, path }) => method === "GET" && path === operation.path && path !== "");
  return read === undefined ? undefined : { operation: read, path: call.path ?? {} };
}

/** True when the error body has entries with a field. */
function tellsFields(context: Context, operation: Operation): boolean {
  const reply = operation.replies.find(({ status }) => status === 400 || status === "4XX" || status === "default");
  const shape = reply && jsonContent(reply.contents)?.shape;
  if (shape === undefined) return false;
  const errors = alwaysOf(context, shape).flatMap(({ properties = [] }) =>
    properties.filter(({ name }) => name === "errors"),
  );
  const items = errors.flatMap((each) => alwaysOf(context, each.shape)).flatMap((each) => each.items ?? []);
  if (items.length === 0) return false;
  const names = new Set(
    alwaysOf(context, bothOf(items)).flatMap(({ properties = [] }) => properties.map(({ name }) => name)),
  );
  return names.has("field") && names.has("reason");
}

/** The status for an invalid body: 400 or 422, whichever is documented. */
function refusalOf({ replies }: Operation): number | readonly number[] {
  const described = [400, 422].filter((status) => replies.some((reply) => reply.status === status));
  const [first] = described;
  return described.length === 1 && first !== undefined ? first : [400, 422];
}
