import formats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Case } from "./suite.js";

export interface Peer {
  readonly cases: readonly Case[];
  /** As JSON Schema defines them by default, or as `ajv-formats` validates them. */
  readonly formats: "annotate" | "assert";
}

/** Counts the instances on which `ajv` and the suite differ, and those of schemas that `ajv` rejects. */
export function compareWithAjv({ cases, formats: how }: Peer): { readonly wrong: number; readonly rejected: number } {
  const shared = ajvWith(how);
  let wrong = 0;
  let rejected = 0;
  for (const { schema, valid, invalid } of cases) {
    const validate = compile(schema, namesItself(schema) ? ajvWith(how) : shared);
    if (validate === undefined) {
      rejected += valid.length + invalid.length;
      continue;
    }
    wrong += valid.filter((each) => !says(validate, each, true)).length;
    wrong += invalid.filter((each) => !says(validate, each, false)).length;
  }
  return { wrong, rejected };
}

/** An instance as users of the generated validator have one. Strict, so that it rejects a schema in which a keyword is ignored. */
export function createUserAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    ownProperties: true,
    strict: true,
    allowUnionTypes: true,
    strictTypes: false,
  });
  formats.default(ajv);
  return ajv;
}

let converted: Ajv2020 | undefined;

/** Compiles a schema of a generated package. Returns the keywords that a value violates. */
export function compileWithAjv(
  schema: Readonly<Record<string, unknown>>,
): ((value: unknown) => readonly string[]) | undefined {
  if (converted === undefined) {
    converted = new Ajv2020({ allErrors: true, ownProperties: true, strict: false, logger: false });
    formats.default(converted);
  }
  const validate = compile(schema, converted);
  if (validate === undefined) return undefined;
  return (value) => (validate(value) ? [] : [...new Set((validate.errors ?? []).map(({ keyword }) => keyword))]);
}

function compile(schema: unknown, ajv: Ajv2020): ValidateFunction | undefined {
  try {
    return ajv.compile(schema as boolean | Record<string, unknown>);
  } catch {
    return undefined;
  }
}

function ajvWith(how: Peer["formats"]): Ajv2020 {
  // Schemas of the suite are valid; checking each against the meta-schema takes most of the time.
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, logger: false });
  if (how === "assert") formats.default(ajv);
  return ajv;
}

/** Names of one schema may be those of another, and then `ajv` would find the wrong one. */
function namesItself(schema: unknown): boolean {
  return /"\$(?:id|anchor|dynamicAnchor)":/.test(JSON.stringify(schema));
}

/** A validator that recurses without end has no result. */
function says(validate: ValidateFunction, value: unknown, isValid: boolean): boolean {
  try {
    return validate(value) === isValid;
  } catch {
    return false;
  }
}
