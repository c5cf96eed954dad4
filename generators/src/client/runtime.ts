import { clientRuntime, code, importValue, type Code } from "@plumbline/kit/codegen";

export { clientRuntime, runtimeVersionRange } from "@plumbline/kit/codegen";

/** Returns a call of a function of the runtime, which a bundler removes if nothing uses its result. */
export function pureCall(name: string, callArguments: Code): Code {
  return code`/* @__PURE__ */ ${importValue(name, clientRuntime)}(${callArguments})`;
}
