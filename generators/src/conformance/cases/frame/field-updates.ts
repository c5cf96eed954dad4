import type { CallStep, MakeStep, Step, Template } from "@plumbline/conformance-runtime";
import { schemaParts, type Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { isAcceptable, prepareAcceptable, storedVariants } from "../../requests/acceptable-body.js";
import { bodyCaseContext, type BodyCaseContext } from "../../requests/body-request.js";
import { acceptedPlan } from "../../requests/callers.js";
import { pathReferences } from "../../requests/object-chains.js";
import { planRequest } from "../../requests/request-plan.js";
import { allowedTypes, type BodyField } from "../../values/body-fields.js";
import { valueAt, withValue } from "../../values/body-mutations.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { bodyWithOnly, mergeBodies, violatesStoredRule } from "../bodies/partial-updates.js";
import { withUniqueTexts } from "../bodies/unique-texts.js";
import { creationOf, isFresh, withOtherNames } from "./creations.js";
import { bodyWithOtherValue, isNewEachTime, otherBodies } from "./frame-values.js";

/** An update of the object that the cases share. */
export function updateContext(context: ConformanceContext, operation: Operation): BodyCaseContext | undefined {
  if (operation.method !== "PUT" && operation.method !== "PATCH") return undefined;
  const around = bodyCaseContext(context, operation);
  if (around?.read === undefined || acceptedPlan(context, operation).usedUp.length > 0) return undefined;
  return dependsOnStored(around) ? around : { ...around, own: around.shared };
}

/** True if errors compare what is sent with what is stored: an earlier update of the shared object could cause one. */
function dependsOnStored({ context, schema, operation }: BodyCaseContext): boolean {
  const whole = context.schemas.get(operation.requestBody?.input.merged ?? "") ?? schema;
  return schemaParts(context.api, whole).some(({ errors = [] }) => errors.some(({ when }) => when !== undefined));
}

export interface FieldUpdate {
  readonly field: string;
  readonly body: Template;
  readonly earlier: readonly Template[];
  /** With another value, if the field has one. */
  readonly other: Template | undefined;
  readonly setupSteps: readonly Step[];
}

/** True for a field that a creation sends. */
function isNewByCreation(around: BodyCaseContext, { pointer }: BodyField): boolean {
  return storedVariants(around).some(({ stored }) => valueAt(stored, pointer) !== undefined);
}

/** Bodies with one field each, beside what the body requires. */
export function bodiesOf(around: BodyCaseContext): readonly FieldUpdate[] {
  const fresh = planRequest(around.context, around.operation, { objects: "own" });
  const top = around.fields
    .filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly)
    // Last what objects share, so that the object shares it before.
    .toSorted((a, b) => Number(isNewByCreation(around, a)) - Number(isNewByCreation(around, b)));
  return top.flatMap((field) => {
    const only = bodyWithOnly(around, field);
    const body = only && withUniqueTexts(around, only, undefined).body;
    const prepared = body === undefined ? undefined : prepareAcceptable(around, body, field);
    const alone = body === undefined ? undefined : prepareAcceptable({ ...around, own: fresh }, body, field);
    // The shared object does not take what only an object with other fields would.
    const isForAny = alone?.setupSteps.every((step) => !isFresh(step) || !("with" in step)) ?? false;
    if (prepared === undefined || !isForAny) return [];
    return [
      {
        field: escapePointerToken(field.pointer[0] ?? ""),
        body: prepared.body,
        earlier: otherBodies(around, field, prepared.body),
        other: bodyWithOtherValue(around, field, prepared.body),
        setupSteps: prepared.setupSteps,
      },
    ];
  });
}

/** A body that gives the other fields values which their own cases do not send, and turns on what can be on. */
export function fillOf(
  around: BodyCaseContext,
  updates: readonly FieldUpdate[],
  own: FieldUpdate,
): Template | undefined {
  const others = updates.filter(
    ({ field, setupSteps }) => field !== own.field && JSON.stringify(setupSteps) === JSON.stringify(own.setupSteps),
  );
  return filledBody(around, others, [own.body]);
}

/** The update of an object that gives the fields other values which no creation sends. Nothing if there are none. */
export function fillingCalls(context: ConformanceContext, { make, as }: MakeStep): readonly CallStep[] {
  const [resource = ""] = make.split("@");
  const creation = creationOf(context, resource);
  if (creation === undefined) return [];
  const created = new Set(creation.fields.map(({ pointer: [name = ""] }) => escapePointerToken(name)));
  return context.api.operations.flatMap((operation) => {
    const last = pathReferences(operation).at(-1);
    const around = last?.reference.to === resource ? updateContext(context, operation) : undefined;
    if (around === undefined || last === undefined || around.shared.call.by !== undefined) return [];
    const alone = bodiesOf({ ...around, own: around.shared }).filter(
      ({ field, setupSteps }) => !created.has(field) && setupSteps.every((step) => "make" in step),
    );
    const body = filledBody(around, alone, []);
    const names = new Map([[around.shared.names[last.name] ?? "", as]]);
    return body === undefined ? [] : [setupCall(withOtherNames({ ...around.shared.call, body }, names))];
  });
}

function setupCall(call: CallStep): CallStep {
  return { ...call, setup: true };
}

/** The values of all updates that an object can have at once, and before the later ones. */
function filledBody(
  around: BodyCaseContext,
  updates: readonly FieldUpdate[],
  later: readonly Template[],
): Template | undefined {
  const body = updates.reduce<Template>((before, update) => {
    const bodies = fillingBodies(around, update).filter((each) => !isNewEachTime(each));
    const all = bodies.map((each) => mergeBodies(before, each));
    return all.find((both) => isStorable(around, [both]) && isStorable(around, [both, ...later])) ?? before;
  }, {});
  return JSON.stringify(body) === "{}" ? undefined : body;
}

/** A switch with others in its object is on; one that stands alone stays as the description has it. */
function fillingBodies(around: BodyCaseContext, { field, body, other }: FieldUpdate): readonly Template[] {
  const within = around.fields.filter(({ pointer: [name = ""] }) => escapePointerToken(name) === field);
  const isSwitch = within.some((each) => each.pointer.length === 1 && allowedTypes(each).includes("boolean"));
  if (isSwitch) {
    const isOn = within.some(({ layers }) => layers.some((part) => part.default === true));
    return isOn ? [withValue(body, within[0]?.pointer ?? [], true)] : [];
  }
  const on = within
    .filter((each) => each.pointer.length === 2 && allowedTypes(each).includes("boolean"))
    .flatMap((each) => switchedOn(within, each));
  return [...on, ...(other === undefined ? [] : [other]), body];
}

/** The switch is on, and the numbers beside it are bounds that admit most: each at its low or its high end. */
function switchedOn(fields: readonly BodyField[], { pointer: [name = "", key = ""] }: BodyField): readonly Template[] {
  const numbers = fields.filter(
    ({ pointer, layers }) =>
      pointer.length === 2 && pointer[0] === name && layers.some(({ types }) => types.includes("integer")),
  );
  return numbers.reduce<readonly Template[]>(
    (bodies, { pointer }) => bodies.flatMap((body) => [1, 10].map((each) => withValue(body, pointer, each))),
    [{ [name]: { [key]: true } }],
  );
}

function isStorable(around: BodyCaseContext, updates: readonly Template[]): boolean {
  const last = updates.at(-1) ?? {};
  return isAcceptable({ ...around, acceptedBody: {} }, last) && !violatesStoredRule(around, updates);
}
