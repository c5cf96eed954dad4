import { imported, typeImported, type Code } from "../emit/printer.js";

export { runtimeVersion as serverRuntimeVersion } from "../emit/runtimes.js";

/** The package that generated servers stand on. */
export const serverRuntime = "@plumbline/server-runtime";

/** A function of the server's runtime. */
export function $server(name: string): Code {
  return imported(name, serverRuntime);
}

/** A type of the server's runtime. */
export function $serverType(name: string): Code {
  return typeImported(name, serverRuntime);
}
