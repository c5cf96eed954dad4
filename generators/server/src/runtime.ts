import { importValue, importType, type Code } from "@plumbline/codegen";

export { runtimeVersionRange as serverRuntimeVersion } from "@plumbline/codegen";

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
