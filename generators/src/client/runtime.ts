export { runtimeVersion } from "../emit/runtimes.js";

/** The package that generated clients stand on. */
export const runtime = "@plumbline/client-runtime";
