import type { OperationDefinition } from "../operation-definition.js";
import {
  validateBodyValue,
  validateCall,
  type RawInput,
  type ValidationResult,
  type UnknownFieldPolicy,
} from "./validate-input.js";

/** Validates the input of one operation without a server. */
export interface Operation<Input = unknown> {
  (value: RawInput, options?: { readonly unknown?: UnknownFieldPolicy }): ValidationResult<Input>;
  readonly definition: OperationDefinition;
  /** Validates a parsed body only. */
  body(value: unknown, options?: { readonly unknown?: UnknownFieldPolicy }): ValidationResult<BodyOf<Input>>;
}

/** The input of an operation's handler. */
export type InputOf<O extends Operation> = O extends Operation<infer Input> ? Input : never;

type BodyOf<Input> = Input extends { readonly body?: infer Body } ? Body : undefined;

export function defineOperation<Input>(definition: OperationDefinition): Operation<Input> {
  const validate = (value: RawInput, options: { readonly unknown?: UnknownFieldPolicy } = {}) =>
    validateCall<Input>(definition, value, options.unknown ?? "ignore");
  const body = (value: unknown, options: { readonly unknown?: UnknownFieldPolicy } = {}) =>
    validateBodyValue<BodyOf<Input>>(definition, value, options.unknown ?? "ignore");
  return Object.assign(validate, { definition, body });
}
