import { configDefaults, type ViteUserConfig } from "vitest/config";

/** The configuration of the tests of a package, in the modes `test`, `unit` and `full`. */
export function packageTests({ mode }: { readonly mode: string }): ViteUserConfig {
  return {
    test: {
      exclude: [...configDefaults.exclude, ...excludedIn(mode)],
      reporters: [
        "default",
        ["json", { outputFile: "reports/tests.json" }],
        new URL("errors-reporter.mjs", import.meta.url).pathname,
      ],
      // They end what hangs. A busy machine reaches none of them.
      testTimeout: mode === "full" ? 600_000 : 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      // Files of one worker share their modules: to load these for each file costs more than most files do.
      pool: "forks",
      isolate: false,
      // Packages run side by side. One worker each loads what its files share once.
      maxWorkers: 1,
      passWithNoTests: false,
    },
  };
}

/** The full form runs everything; the loop no `*.full.test.ts`; the units besides nothing that starts a command. */
function excludedIn(mode: string): readonly string[] {
  if (mode === "full") return [];
  return mode === "unit" ? ["src/**/*.{full,command}.test.ts"] : ["src/**/*.full.test.ts"];
}
