import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Schema } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { toErrorField } from "../../values/body-fields.js";
import { schemaSamples, withValue } from "../../values/body-mutations.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { createAcceptedCase, rejectedCases, sendAndRead } from "./body-cases.js";
import { bodyWithBranch, bodyObjectId, type BodyObject, type BranchField, fieldAt } from "./body-objects.js";

/** Cases of `if` and `then`, in a body or in a branch of it. */
export function conditionalCases(
  around: BodyCaseContext,
  bodyObject: BodyObject,
  { part, branch }: { readonly part: Schema; readonly branch?: string },
): readonly Case[] {
  const { if: condition, then } = part;
  if (condition === undefined || then === undefined) return [];
  const { context } = around;
  const form = bodyWithBranch(around, bodyObject, [condition, then]);
  if (form === undefined) return [];
  const standing = prepareAcceptable(around, form);
  const always = unconditionalLayers(context, then);
  const stated = requirementIds([part, ...always].flatMap(({ sources = [] }) => sources));
  const requirements = stated.length === 0 ? bodyObject.requirements : stated;
  const test = conditionName(condition);
  const about = (what: string, says: string) =>
    ({
      kind: "conditions",
      idParts: [...bodyObjectId(bodyObject), ...(branch === undefined ? [] : [branch]), test, what],
      title: `${branch === undefined ? "" : `${branch}, `}${test}: ${says}`,
      requirements,
    }) as const;
  const required = always.flatMap((each) => each.required ?? []);
  const inner = always.flatMap(({ properties = [] }) => properties.map(({ name }) => name));
  return [
    ...(standing !== undefined
      ? [
          createAcceptedCase(around, about("accepted", "what the condition requires is accepted"), [
            ...standing.setupSteps,
            ...sendAndRead(around, standing.body, undefined),
          ]),
        ]
      : []),
    ...required.flatMap((name) =>
      rejectedCases(
        around,
        withValue(form, [...bodyObject.pointer, name], undefined),
        about(`without-${name}`, `without ${name} it is rejected`),
      ),
    ),
    ...[...new Set(inner)].flatMap((name) => violatingCases(around, bodyObject, { form, name, about })),
  ];
}

/** Values of a field that are invalid only when the condition holds. */
function violatingCases(
  context: BodyCaseContext,
  bodyObject: BodyObject,
  { form, name, about }: BranchField,
): readonly Case[] {
  const field = fieldAt(context, bodyObject, name);
  if (field === undefined) return [];
  const inner = context.fields.filter(
    ({ pointer }) =>
      pointer.length === field.pointer.length + 1 &&
      toErrorField(pointer).startsWith(`${toErrorField(field.pointer)}.`),
  );
  const direct = schemaSamples(context.context, [field.schema]).map(
    (sample) => [name, withValue(form, field.pointer, sample)] as const,
  );
  const deeper = inner.flatMap((each) =>
    schemaSamples(context.context, [each.schema])
      .slice(0, 2)
      .map(
        (sample) =>
          [
            `${name}.${each.pointer.at(-1) ?? ""}`,
            withValue(
              form,
              each.pointer,
              isPlainObject(sample) ? { ...sample, ...firstReference(context, each.pointer) } : sample,
            ),
          ] as const,
      ),
  );
  const visited = new Set<string>();
  return [...direct, ...deeper].flatMap(([what, body]) => {
    if (visited.has(what)) return [];
    const { requirements, ...description } = about(`with-${what}`, `this ${what} is rejected`);
    // The field states the value, and the condition states when it is required.
    const cases = rejectedCases(context, body, {
      ...description,
      requirements: [...new Set([...requirements, ...field.requirements])],
    });
    if (cases.length > 0) visited.add(what);
    return cases;
  });
}

/** The first number of an object with only optional fields, so that the object is not empty. */
function firstReference(context: BodyCaseContext, pointer: readonly string[]): Readonly<Record<string, Template>> {
  const first = context.fields.find(
    (each) =>
      each.pointer.length === pointer.length + 1 && toErrorField(each.pointer).startsWith(`${toErrorField(pointer)}.`),
  );
  const name = first?.pointer.at(-1);
  const sample = first === undefined ? undefined : schemaSamples(context.context, [first.schema])[0];
  return name === undefined || sample === undefined ? {} : { [name]: sample };
}

function conditionName({ properties = [] }: Schema): string {
  const names = properties.map(({ name, schema }) =>
    schema.const === undefined
      ? name
      : `${name}-${typeof schema.const === "string" ? schema.const : JSON.stringify(schema.const)}`,
  );
  return names.length === 0 ? "condition" : names.join("-and-");
}
