import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";

/** Validates values by the schemas of a description, independently of our own validator. Returns the invalid field, or `""` for none. */
export function createValidator(
  document: Readonly<Record<string, unknown>>,
): (pointer: string, value: unknown) => string | undefined {
  const ajv = new Ajv2020({ strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(withoutReadOnly(document) as object, "description");
  return (pointer, value) => {
    const check = ajv.getSchema(`description${pointer}`);
    if (check === undefined) throw new Error(`No schema at ${pointer}.`);
    if (check(value) === true) return undefined;
    const [error] = check.errors ?? [];
    const parts = (error?.instancePath ?? "").split("/").slice(1);
    const missing: unknown = error?.params["missingProperty"];
    return [...parts, ...(typeof missing === "string" ? [missing] : [])].join(".");
  };
}

/** The schemas of requests: a readOnly property is not required in them. */
function withoutReadOnly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutReadOnly);
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutReadOnly(value)] as const),
  );
  const { properties, required } = copy;
  if (typeof properties !== "object" || properties === null || !Array.isArray(required)) return copy;
  const own = properties as Readonly<Record<string, { readonly readOnly?: boolean } | undefined>>;
  return { ...copy, required: required.filter((name) => own[String(name)]?.readOnly !== true) };
}
