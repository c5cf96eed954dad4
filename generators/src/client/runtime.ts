/** The package that generated clients stand on, and the version that they are made for. */
export const runtime = "@plumbline/client-runtime";
export const runtimeVersion = "^0.1.0";
