import { code, importValue, type Code } from "@plumbline/kit/codegen";

export { runtimeVersionRange } from "@plumbline/kit/codegen";

/** The package that generated clients import. */
export const clientRuntime = "@plumbline/client-runtime";

/** Returns a call of a function of the runtime, which a bundler removes if nothing uses its result. */
export function pureCall(name: string, callArguments: Code): Code {
  return code`/* @__PURE__ */ ${importValue(name, clientRuntime)}(${callArguments})`;
}
