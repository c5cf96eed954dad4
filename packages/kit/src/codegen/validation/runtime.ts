import { code, importValue, importType, type Code } from "../printer.js";

export { runtimeVersionRange } from "../runtime-version.js";

/** The package that generated servers, validators and mocks import. */
export const serverRuntime = "@plumbline/server-runtime";

/** The module that generated validators import. */
export const validatorRuntime: string = `${serverRuntime}/validator`;

/** Refers to a function of the runtime. */
export function validatorFunction(name: string): Code {
  return importValue(name, validatorRuntime);
}

/** Refers to a type of the runtime. */
export function validatorType(name: string): Code {
  return importType(name, validatorRuntime);
}

/** Emits a call of such a function, annotated as PURE, so that bundlers can drop it if the result is unused. */
export function validatorCall(name: string, args: Code): Code {
  return code`/* @__PURE__ */ ${validatorFunction(name)}(${args})`;
}
