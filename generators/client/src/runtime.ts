export { runtimeVersionRange } from "../../../packages/codegen/src/runtime-version.js";

/** The package that generated clients import. */
export const clientRuntime = "@plumbline/client-runtime";
