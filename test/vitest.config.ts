import { configDefaults, defineConfig } from "vitest/config";
import { deadlineOf } from "./run/deadline.mjs";

/** Test files that start no command, no PostgreSQL and no registry. */
const unit = [
  "plumbline/cli",
  "client/client",
  "client/hostile",
  "client/service",
  "conformance/settings",
  "description/bundled",
  "conformance/faults.applies",
  "client/hover",
  "plumbline/init",
  "layout",
  "plumbline/overlays",
  "server/server",
  "server/hosts",
  "server/limits",
  "server/replies",
  "server/scopes",
  "server/stored",
  "server/types",
  "service/effects",
  "validator/apps",
  "validator/clients",
  "validator/fuzz",
  "validator/property",
  "workspace",
].map((name) => `${name}.test.ts`);

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "./run/errors-reporter.mjs"],
    include: mode === "unit" ? unit : ["**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(mode === "full" ? [] : ["**/*.full.test.ts"])],
    testTimeout: deadlineOf(mode),
    hookTimeout: deadlineOf(mode),
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // Both workers load the generator, its linter and TypeScript once, and not for each file.
    isolate: false,
    // What is built runs as it is: to transform it costs more than to load it.
    server: { deps: { external: [/\/(generators|packages\/[\w-]+)\/dist\//] } },
  },
}));
