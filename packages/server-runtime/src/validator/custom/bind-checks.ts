import {
  defineOperation,
  type BodyDefinition,
  type Check,
  type ContentDefinition,
  type Normalizer,
  type Operation,
  type ParameterDefinition,
  type ResponseHeaderCheck,
  type ResponseValidators,
} from "../../http/index.js";
import { recordReplacement } from "../adapters/replaced-operations.js";
import type { StandardSchema } from "../standard/standard-schema.js";
import { replaceValidation } from "../standard/with-options.js";
import { runWith, type ActiveChecks } from "./active-checks.js";
import { ensureCustomChecks, type CustomChecks, type CustomCheckNames } from "./custom-checks.js";

/** Operations and checks of responses that call the functions of one validator. */
export interface BoundChecks {
  readonly operations: (operations: readonly Operation[]) => readonly Operation[];
  readonly responses: (load: () => Promise<ResponseValidators>) => () => Promise<ResponseValidators>;
  readonly headers: (load: () => Promise<ResponseHeaderCheck>) => () => Promise<ResponseHeaderCheck>;
}

/**
 * Binds operations to functions for custom formats and keywords. Adapters of generated packages call it.
 *
 * @throws TypeError for a function that is missing, unknown or of another type
 */
export function bindCustomChecks(checks: CustomChecks, names: CustomCheckNames): BoundChecks {
  const active = ensureCustomChecks(checks, names);
  return {
    operations: (operations) => operations.map((each) => bindOperation(each, active)),
    responses: (load) => () =>
      load().then((table) =>
        mapValues(table, (statuses) =>
          mapValues(statuses, (contents) => mapValues(contents, (check) => bindCheck(check, active))),
        ),
      ),
    headers: (load) => () =>
      load().then(
        (check) =>
          (...response) =>
            runWith(active, () => check(...response)),
      ),
  };
}

/** Returns operations whose compiled checks leave custom formats and keywords out: Ajv checks them. */
export function ignoreCustomChecks(operations: readonly Operation[]): readonly Operation[] {
  return operations.map((each) => bindOperation(each, "ignored"));
}

/**
 * Binds an operation or a Standard Schema to functions for custom formats and keywords. Generated packages export it with `names` filled in.
 *
 * @throws TypeError for a function that is missing, unknown or of another type
 */
export function bindTarget<Target extends CheckTarget>(
  target: Target,
  checks: CustomChecks,
  names: CustomCheckNames,
): Target {
  const active = ensureCustomChecks(checks, names);
  // Each kind of target is bound to a value of the same type.
  return (
    typeof target === "function"
      ? bindOperation(target, active)
      : replaceValidation(
          target,
          (validate) =>
            (...validated) =>
              runWith(active, () => validate(...validated)),
        )
  ) as Target;
}

/** What runs compiled checks without a server. */
export type CheckTarget = Operation | StandardSchema<unknown>;

function bindOperation(operation: Operation, active: ActiveChecks): Operation {
  const { parameters, body, ...rest } = operation.definition;
  const bound = defineOperation({
    ...rest,
    ...(parameters === undefined ? {} : { parameters: parameters.map((each) => bindChecksOf(each, active)) }),
    ...(body === undefined ? {} : { body: bindBody(body, active) }),
  });
  recordReplacement(bound, operation);
  return bound;
}

function bindBody(body: BodyDefinition, active: ActiveChecks): BodyDefinition {
  return { ...body, contents: mapValues(body.contents, (content) => bindChecksOf(content, active)) };
}

/** Binds the check of a parameter or a body, and the conditions with which a body is normalized. */
function bindChecksOf<Definition extends ParameterDefinition | ContentDefinition>(
  definition: Definition,
  active: ActiveChecks,
): Definition {
  const { check, normalize, stored }: Pick<ContentDefinition, "check" | "normalize" | "stored"> = definition;
  return {
    ...definition,
    ...(stored === undefined ? {} : { stored: bindChecksOf(stored, active) }),
    ...(check === undefined ? {} : { check: bindCheck(check, active) }),
    // Ajv checks bodies, and no conditions of normalization: these throw without functions.
    ...(normalize === undefined || active === "ignored"
      ? {}
      : { normalize: ((value, strip) => runWith(active, () => normalize(value, strip))) satisfies Normalizer }),
  };
}

function bindCheck(check: Check, active: ActiveChecks): Check {
  return (value, issues, reject) => runWith(active, () => check(value, issues, reject));
}

function mapValues<Value, Result>(
  fields: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Readonly<Record<string, Result>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value)] as const));
}
