import { imported, typeImported, type Code } from "../emit/printer.js";

/** The package that generated servers stand on, and the version that they are made for. */
export const serverRuntime = "@plumbline/server-runtime";
export const serverRuntimeVersion = "^0.1.0";

/** A function of the server's runtime. */
export function $server(name: string): Code {
  return imported(name, serverRuntime);
}

/** A type of the server's runtime. */
export function $serverType(name: string): Code {
  return typeImported(name, serverRuntime);
}
