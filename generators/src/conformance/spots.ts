import type { Template } from "@plumbline/conformance-runtime";
import type { Shape } from "../model/api.js";
import { dotted } from "./body-fields.js";
import { isPlainObject } from "./concrete.js";
import { misfitsOf } from "./judge.js";
import { bothOf, formsOf } from "./layers.js";
import { samplesOf, valueAt, withValue } from "./placing.js";
import type { Around } from "./shape-cases.js";

/** An object in a body. */
export interface Spot {
  readonly shape: Shape;
  readonly pointer: readonly string[];
  /** A valid body with a value at the pointer. */
  readonly body: Template;
  readonly requirements: readonly string[];
}

/** A body whose value at the pointer also matches this branch. */
export function formBody(around: Around, { shape, pointer, body }: Spot, form: readonly Shape[]): Template | undefined {
  const { context, nulls } = around;
  const base = valueAt(body, pointer);
  const fields = isPlainObject(base) ? base : {};
  const samples = samplesOf(context, form);
  const more = formsOf(context, shape)
    .filter((each) => form.every((one) => each.includes(one)))
    .flatMap((each) => samplesOf(context, [withoutChoices(each)]));
  const candidates = [...samples, ...more].flatMap((sample): readonly Template[] =>
    isPlainObject(sample) ? [{ ...fields, ...sample }, sample] : [sample],
  );
  return candidates
    .map((each) => withValue(body, pointer, each))
    .find((each) => {
      const value = valueAt(each, pointer);
      return (
        value !== undefined &&
        misfitsOf(context, shape, value, nulls).length === 0 &&
        form.every((one) => misfitsOf(context, one, value, nulls).length === 0) &&
        misfitsOf(context, around.shape, each, nulls).length === 0
      );
    });
}

function withoutChoices(form: readonly Shape[]): Shape {
  return bothOf(form.map(({ oneOf: _oneOf, anyOf: _anyOf, allOf: _allOf, ref: _ref, ...rest }) => rest));
}

/** The first segments of a case id. */
export function nameOf({ pointer }: Spot): readonly string[] {
  return pointer.length === 0 ? [] : [dotted(pointer)];
}
