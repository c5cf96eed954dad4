export { runtimeVersionRange } from "@plumbline/codegen";

/** The package that generated clients import. */
export const clientRuntime = "@plumbline/client-runtime";
