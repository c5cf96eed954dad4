import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Case } from "./suite.js";

/** Of how many instances `ajv` says what the suite does not, and how many are of schemas that it refuses; set so that formats annotate. */
export function judgedByAjv(cases: readonly Case[]): { readonly wrong: number; readonly refused: number } {
  let wrong = 0;
  let refused = 0;
  for (const { schema, valid, invalid } of cases) {
    const validate = compile(schema);
    if (validate === undefined) {
      refused += valid.length + invalid.length;
      continue;
    }
    wrong += valid.filter((each) => !says(validate, each, true)).length;
    wrong += invalid.filter((each) => !says(validate, each, false)).length;
  }
  return { wrong, refused };
}

function compile(schema: unknown): ValidateFunction | undefined {
  // Schemas of the suite are right; checking each against its own schema takes most of the time.
  const ajv = new Ajv2020({ strict: false, ownProperties: true, validateSchema: false, logger: false });
  try {
    return ajv.compile(schema as boolean | Record<string, unknown>);
  } catch {
    return undefined;
  }
}

/** A validator that recurses without end says nothing. */
function says(validate: ValidateFunction, value: unknown, isValid: boolean): boolean {
  try {
    return validate(value) === isValid;
  } catch {
    return false;
  }
}
