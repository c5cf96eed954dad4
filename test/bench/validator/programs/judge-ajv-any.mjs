import { createInstance } from "./bundles/ajv-any/ajv-any.mjs";

export function judge(value) {
  return createInstance(value) ? 0 : createInstance.errors.length;
}
