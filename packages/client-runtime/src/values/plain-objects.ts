/** True for an object whose properties JSON has: not for arrays, forms, blobs and dates. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === "[object Object]";
}

/** True for an object that says itself how JSON has it. */
export function hasToJson(value: object): value is { toJSON: (key: string) => unknown } {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}
