import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  test: {
    exclude: [...configDefaults.exclude, ...excludedIn(mode)],
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "../../test/run/errors-reporter.mjs"],
    testTimeout: mode === "full" ? 600_000 : 60_000,
    // Files of one worker share their modules: to load these for each file costs more than most files do.
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
  },
}));

/** The full form runs everything; the loop no `*.full.test.ts`; the units besides nothing that starts a command. */
function excludedIn(mode: string): readonly string[] {
  if (mode === "full") return [];
  return mode === "unit" ? ["src/**/*.{full,command}.test.ts"] : ["src/**/*.full.test.ts"];
}
