import { configDefaults, defineConfig } from "vitest/config";
import { deadlineOf } from "./test/run/deadline.mjs";

/** The tests of all packages, in the modes `test`, `unit` and `full`, except those of the service, which need PostgreSQL. */
export default defineConfig(({ mode }) => ({
  resolve: { tsconfigPaths: true },
  test: {
    include: ["{generators,packages/*}/src/**/*.test.ts"],
    exclude: [...configDefaults.exclude, "packages/service/**", ...excludedIn(mode)],
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "./test/run/errors-reporter.mjs"],
    testTimeout: deadlineOf(mode),
    hookTimeout: deadlineOf(mode),
    expect: { poll: { timeout: 60_000 } },
    // One worker loads compilers and linters once for all packages. A process or a set of modules for each package takes half as long again.
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    // Built packages run unchanged: transforming them takes longer than loading them.
    server: { deps: { external: [/\/(packages\/[\w-]+|generators)\/dist\//] } },
  },
}));

/** The full form runs everything; the loop no `*.full.test.ts`; the units besides nothing that starts a command. */
function excludedIn(mode: string): readonly string[] {
  if (mode === "full") return [];
  return mode === "unit" ? ["**/*.{full,command}.test.ts"] : ["**/*.full.test.ts"];
}
