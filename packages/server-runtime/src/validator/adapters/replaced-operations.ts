import type { InputOf, Operation } from "../../http/index.js";
import { attachedInput, inputOf } from "./validated-input.js";

/** The operations that users import, by those that validate in their place. */
const originals = new WeakMap<Operation, Operation>();

/** Remembers that an operation validates in the place of another. */
export function recordReplacement(replacement: Operation, replaced: Operation): void {
  originals.set(replacement, originalOf(replaced));
}

function originalOf(operation: Operation): Operation {
  return originals.get(operation) ?? operation;
}

/**
 * Returns the validated input of a request, typed for its operation. Use this one with validators that replace operations: on Ajv, and with custom
 * formats or keywords.
 *
 * @param operation the operation that the handler implements
 * @param request the request that the framework passes to the handler, or Hono's context
 * @throws TypeError if the request was validated for another operation, or not at all
 */
export function replacedInputOf<O extends Operation>(operation: O, request: object): InputOf<O> {
  const validated = attachedInput(request);
  if (validated !== undefined && originalOf(validated.operation) === originalOf(operation))
    return validated.input as InputOf<O>;
  return inputOf(operation, request);
}
