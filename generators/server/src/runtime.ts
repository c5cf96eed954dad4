import { importValue, importType, type Code } from "../../../packages/codegen/src/printer.js";

export { runtimeVersionRange as serverRuntimeVersion } from "../../../packages/codegen/src/runtime-version.js";

/** The package that generated servers import. */
export const serverRuntime = "@plumbline/server-runtime";

/** Refers to a function of the server's runtime. */
export function serverFunction(name: string): Code {
  return importValue(name, serverRuntime);
}

/** Refers to a type of the server's runtime. */
export function serverType(name: string): Code {
  return importType(name, serverRuntime);
}
