export { runtimeVersion } from "../emit/runtimes.js";

/** The package that generated clients import. */
export const runtime = "@plumbline/client-runtime";
