import { createInstance } from "./bundles/ajv-own/ajv-own.mjs";

export function judge(value) {
  return createInstance(value) ? 0 : createInstance.errors.length;
}
