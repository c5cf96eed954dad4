/** Sets a property of an object, also one named `__proto__`. */
export function safeAssign(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  } else fields[key] = value;
}
