import { code, imported, typeImported, type Code } from "../emit/printer.js";

export { runtimeVersion } from "../emit/runtimes.js";

/** The package that generated validators import. */
export const runtime = "@plumbline/validator-runtime";

/** Refers to a function of the runtime. */
export function $(name: string): Code {
  return imported(name, runtime);
}

/** Refers to a type of the runtime. */
export function $type(name: string): Code {
  return typeImported(name, runtime);
}

/** Emits a call of such a function, annotated as PURE, so that bundlers can drop it if the result is unused. */
export function $call(name: string, given: Code): Code {
  return code`/* @__PURE__ */ ${$(name)}(${given})`;
}
