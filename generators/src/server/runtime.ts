import { imported, typeImported, type Code } from "../emit/printer.js";

export { runtimeVersion as serverRuntimeVersion } from "../emit/runtimes.js";

/** The package that generated servers import. */
export const serverRuntime = "@plumbline/server-runtime";

/** Refers to a function of the server's runtime. */
export function $server(name: string): Code {
  return imported(name, serverRuntime);
}

/** Refers to a type of the server's runtime. */
export function $serverType(name: string): Code {
  return typeImported(name, serverRuntime);
}
