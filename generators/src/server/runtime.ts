import { importValue, importType, type Code } from "@plumbline/kit/codegen";
import { serverRuntime } from "@plumbline/kit/codegen/validation";

/** Refers to a function of the server's runtime. */
export function serverFunction(name: string): Code {
  return importValue(name, serverRuntime);
}

/** Refers to a type of the server's runtime. */
export function serverType(name: string): Code {
  return importType(name, serverRuntime);
}
