import { defineConfig } from "vitest/config";

// What the service does it does on both stores; what is tested of a store is tested once. When all is tested, what was
// answered is compared with the description.
export default defineConfig({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }]],
    testTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/documented.test.ts"],
          globalSetup: "src/answers.support.ts",
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: ["src/*.test.ts", "src/areas/**/*.test.ts", "src/controls/**/*.test.ts", "test/conformance.test.ts"],
          globalSetup: ["src/answers.support.ts", "src/store/postgres-setup.support.ts"],
        },
      },
      {
        extends: true,
        test: { name: "documented", include: ["test/documented.test.ts"], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
