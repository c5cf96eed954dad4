import type { Template } from "@plumbline/conformance-runtime";
import { intersectSchemas } from "@plumbline/kit/codegen/values";
import type { Schema } from "@plumbline/kit/model";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { type BodyField, toErrorField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { schemaBranches } from "../../values/schema-layers.js";
import { validateTemplate } from "../../values/template-validation.js";
import type { CaseDescription } from "./body-cases.js";

/** An object in a body. */
export interface BodyObject {
  readonly schema: Schema;
  readonly pointer: readonly string[];
  /** A valid body with a value at the pointer. */
  readonly body: Template;
  readonly requirements: readonly string[];
}

/** A body whose value at the pointer also matches this branch. */
export function bodyWithBranch(
  around: BodyCaseContext,
  { schema, pointer, body }: BodyObject,
  form: readonly Schema[],
): Template | undefined {
  const { context, nulls } = around;
  const base = valueAt(body, pointer);
  const fields = isPlainObject(base) ? base : {};
  const samples = schemaSamples(context, form);
  const more = schemaBranches(context, schema)
    .filter((each) => form.every((one) => each.includes(one)))
    .flatMap((each) => schemaSamples(context, [withoutChoices(each)]));
  const candidates = [...samples, ...more].flatMap((sample): readonly Template[] =>
    isPlainObject(sample) ? [{ ...fields, ...sample }, sample] : [sample],
  );
  return candidates
    .map((each) => withValue(body, pointer, each))
    .find((each) => {
      const value = valueAt(each, pointer);
      return (
        value !== undefined &&
        validateTemplate(context, schema, value, nulls).length === 0 &&
        form.every((one) => validateTemplate(context, one, value, nulls).length === 0) &&
        validateTemplate(context, around.schema, each, nulls).length === 0
      );
    });
}

function withoutChoices(form: readonly Schema[]): Schema {
  return intersectSchemas(form.map(({ oneOf: _oneOf, anyOf: _anyOf, allOf: _allOf, ref: _ref, ...rest }) => rest));
}

/** A field of an object in a body. */
export function fieldAt({ fields }: BodyCaseContext, { pointer }: BodyObject, name: string): BodyField | undefined {
  return fields.find((each) => toErrorField(each.pointer) === toErrorField([...pointer, name]));
}

/** A field in a body that matches a branch or a condition. */
export interface BranchField {
  readonly form: Template;
  readonly name: string;
  readonly about: (what: string, says: string) => CaseDescription;
}

/** The first segments of a case id. */
export function bodyObjectId({ pointer }: BodyObject): readonly string[] {
  return pointer.length === 0 ? [] : [toErrorField(pointer)];
}
