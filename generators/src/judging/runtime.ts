import { code, imported, typeImported, type Code } from "../emit/printer.js";

export { runtimeVersion } from "../emit/runtimes.js";

/** The package that generated validators stand on. */
export const runtime = "@plumbline/validator-runtime";

/** A function of the runtime. */
export function $(name: string): Code {
  return imported(name, runtime);
}

/** A type of the runtime. */
export function $type(name: string): Code {
  return typeImported(name, runtime);
}

/** A call of such a function that bundlers leave out together with what it is for. */
export function $call(name: string, given: Code): Code {
  return code`/* @__PURE__ */ ${$(name)}(${given})`;
}
