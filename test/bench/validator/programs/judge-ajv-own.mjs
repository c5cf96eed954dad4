import { createInstance } from "./ajv-own.bundled.mjs";

export function judge(value) {
  return createInstance(value) ? 0 : createInstance.errors.length;
}
