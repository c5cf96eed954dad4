import type { ValidatedRequest, InputOf, Operation } from "../../http/index.js";

// A property costs less than a WeakMap, whose entries the garbage collector has to visit.
const validatedRequest = Symbol("validatedRequest");

/** Attaches the validated input to a request. */
export function attachInput(request: object, accepted: ValidatedRequest): void {
  (request as { [validatedRequest]?: ValidatedRequest })[validatedRequest] = accepted;
}

/** The validated input of a request. Undefined if it was not validated. */
export function attachedInput(request: object): ValidatedRequest | undefined {
  return (request as { readonly [validatedRequest]?: ValidatedRequest })[validatedRequest];
}

/**
 * Returns the validated input of a request, typed for its operation.
 *
 * @param operation the operation that the handler implements
 * @param request the request that the framework passes to the handler, or Hono's context
 * @throws TypeError if the request was validated for another operation, or not at all
 *
 * @example
 * app.put("/v4/pets/:petId", (request, response) => {
 *   const { path, body } = inputOf(putPet, request);
 *   response.json({ id: path.petId, name: body.name });
 * });
 */
export function inputOf<O extends Operation>(operation: O, request: object): InputOf<O> {
  const validated = attachedInput(request);
  const { name } = operation.definition;
  if (validated === undefined) {
    throw new TypeError(
      `inputOf(${name}): this request was not validated. Register the validator before the handlers.`,
    );
  }
  if (validated.operation !== operation) {
    throw new TypeError(`inputOf(${name}): this request was validated as ${validated.operation.definition.name}.`);
  }
  return validated.input as InputOf<O>;
}
