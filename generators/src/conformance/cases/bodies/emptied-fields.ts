import type { Case, Template } from "@plumbline/conformance-runtime";
import { createCase } from "../../context/context.js";
import { storedVariants, withLaid } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { allowedTypes, type BodyField } from "../../values/body-fields.js";
import { validateTemplate } from "../../values/template-validation.js";
import { expectRejectedField } from "./body-cases.js";

/** Cases of updates that empty a list or a text that the updated object must have, though the body alone would be valid. */
export function emptiedFieldCases(around: BodyCaseContext): readonly Case[] {
  const { context, operation } = around;
  const whole = context.schemas.get(operation.requestBody?.input.merged ?? "");
  if (whole === undefined || operation.method === "POST") return [];
  return around.fields
    .filter(({ pointer, readOnly }) => pointer.length === 1 && !readOnly)
    .flatMap((field) => emptiesOf(field).flatMap((empty) => emptiedCases(around, { field, empty })));
}

function emptiedCases(
  around: BodyCaseContext,
  { field, empty }: { readonly field: BodyField; readonly empty: Template },
): readonly Case[] {
  const { context, operation, own, schema, nulls } = around;
  const whole = context.schemas.get(operation.requestBody?.input.merged ?? "");
  const name = field.pointer[0] ?? "";
  if (whole === undefined || validateTemplate(context, schema, { [name]: empty }, nulls).length > 0) return [];
  const issuesOf = (stored: Template): readonly string[] =>
    validateTemplate(context, whole, stored, "validated")
      .filter(({ keyword }) => keyword !== "required")
      .map(({ path }) => path.join("."));
  const variant = storedVariants(around).find(
    ({ stored }) => issuesOf(stored).length === 0 && issuesOf({ ...stored, [name]: empty }).join() === name,
  );
  if (variant === undefined) return [];
  return [
    createCase(context, {
      operation,
      kind: "conditions",
      idParts: [name, "emptied"],
      title: `${name}: ${JSON.stringify(empty)} is rejected for an object that needs it`,
      requirements: field.requirements,
      requires: own.requires,
      exclusive: own.exclusive,
      steps: [
        ...withLaid(own.setupSteps, variant.bodyFields),
        { ...own.call, body: { [name]: empty }, expect: expectRejectedField(around, undefined) },
      ],
    }),
  ];
}

function emptiesOf(field: BodyField): readonly Template[] {
  const types = allowedTypes(field);
  return [...(types.includes("array") ? [[]] : []), ...(types.includes("string") ? [""] : [])];
}
