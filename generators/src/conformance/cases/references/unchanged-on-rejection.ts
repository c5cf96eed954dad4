import type { CallStep, Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import { createCase, type ConformanceContext } from "../../context/context.js";
import { createdResource } from "../../requests/created-resources.js";
import {
  callOnObjects,
  findErrorOf,
  objectNames,
  pathReferences,
  nonexistentId,
  readObject,
} from "../../requests/object-chains.js";
import { createdObjectName } from "../../requests/reference-bodies.js";
import { setupStep, planRequest, type RequestPlan } from "../../requests/request-plan.js";
import { callWithReference, referencableObject } from "./calls.js";
import type { ReferenceField } from "./fields.js";

/** One case for each operation: a rejected request changes nothing. */
export function unchangedOnRejectionCases(
  context: ConformanceContext,
  fields: readonly ReferenceField[],
): readonly Case[] {
  const naming = fields.find(({ operation, reference }) => findErrorOf(context, operation, reference.onNotFound));
  if (naming === undefined) return [];
  const { operation, reference, field } = naming;
  const error = findErrorOf(context, operation, reference.onNotFound);
  const plan = planRequest(context, operation, { objects: "own" });
  const isItem = field.pointer.at(-1) === "*";
  const good = isItem ? referencableObject(context, naming, { isOwn: true }) : undefined;
  const value = nonexistentId(context, field.schema);
  const call = callWithReference(context, {
    naming,
    plan,
    value,
    error,
    ...(good === undefined ? {} : { precedingItem: good.value }),
  });
  const watched = observedParts(context, operation, { plan, named: good === undefined ? undefined : reference.to });
  if (call === undefined || watched.length === 0) return [];
  return [
    createCase(context, {
      operation,
      kind: "references",
      idParts: ["rejected-changes-nothing"],
      title: `${operation.summary ?? operation.name}: a request that references a missing object changes nothing`,
      requirements: naming.requirements,
      requires: plan.requires,
      exclusive: plan.exclusive,
      steps: [
        ...plan.setupSteps,
        ...(good?.makes ?? []),
        { settle: true },
        ...watched.map(({ read }, index) => setupStep({ ...read, as: `before${index}` })),
        call,
        { settle: true },
        ...watched.map(({ read, part }, index): Step => ({
          ...read,
          expect: { body: same(`before${index}`, part) },
        })),
      ],
    }),
  ];
}

interface ObservedPart {
  readonly read: CallStep;
  /** The response field that must stay equal. Absent: the complete body. */
  readonly part?: string;
}

/** What the request could change: the path's object, the list of created objects, and a referenced object. */
function observedParts(
  context: ConformanceContext,
  operation: Operation,
  { plan, named }: { readonly plan: RequestPlan; readonly named: string | undefined },
): readonly ObservedPart[] {
  const names = objectNames(operation, plan.names);
  const target = pathReferences(operation).at(-1)?.reference.to ?? "";
  const created = createdResource(context.api, operation);
  const list = context.operations.get(created?.resource.list ?? "");
  const total = list?.pagination?.envelope.total;
  const listed = list === undefined ? undefined : callOnObjects(list, names);
  const reads = [
    readObject(context, context.resources.get(target), names),
    named === undefined
      ? undefined
      : readObject(context, context.resources.get(named), { [named]: createdObjectName(named) }),
  ];
  return [
    ...reads.filter((each) => each !== undefined).map((read) => ({ read })),
    ...(listed === undefined || total === undefined ? [] : [{ read: listed, part: total }]),
  ];
}

function same(name: string, part: string | undefined): Template {
  if (part === undefined) return { const: { $get: `${name}#/body` } };
  return { properties: { [part]: { const: { $get: `${name}#/body/${part}` } } }, required: [part] };
}
