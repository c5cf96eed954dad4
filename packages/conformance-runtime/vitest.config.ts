import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig(({ mode }) => ({
  test: {
    exclude: [...configDefaults.exclude, ...excludedIn(mode)],
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "../../test/run/errors-reporter.mjs"],
    testTimeout: mode === "full" ? 600_000 : 60_000,
    // Files of one worker share their modules: loading them for each file takes longer than most files run.
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
  },
}));

/** The full mode runs everything, the loop mode no `*.full.test.ts`, the unit mode also no command tests. */
function excludedIn(mode: string): readonly string[] {
  if (mode === "full") return [];
  return mode === "unit" ? ["src/**/*.{full,command}.test.ts"] : ["src/**/*.full.test.ts"];
}
