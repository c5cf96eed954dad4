import { imported, typeImported, type Code } from "../emit/printer.js";

/** The package that generated servers stand on, and the version that they are made for. */
export const runtime = "@plumbline/server-runtime";
export const runtimeVersion = "^0.1.0";

/** A function of the runtime. */
export function $(name: string): Code {
  return imported(name, runtime);
}

/** A type of the runtime. */
export function $type(name: string): Code {
  return typeImported(name, runtime);
}
