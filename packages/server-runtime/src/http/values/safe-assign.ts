/** Sets a property of any name. Plain assignment to `__proto__` would set the prototype. */
export function safeAssign(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  } else fields[key] = value;
}
