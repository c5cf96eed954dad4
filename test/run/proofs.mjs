/**
 * The test files that have a long form, by workspace, with its approximate minutes (wall time on two cores). CI chooses by them what it has time
 * for. `run.test.ts` fails where a file is missing here, or is listed without need.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const proofs = {
  "generators/conformance": {
    "src/cases/bodies/case-cache.full.test.ts": 1,
  },
  "generators/types": {
    "src/compare-types.test.ts": 0.6,
  },
  "packages/client-runtime": {
    "src/lifetime.test.ts": 0.2,
  },
  "packages/codegen": {
    "src/printer.property.test.ts": 0.5,
  },
  "packages/codemods": {
    "src/migrate/tools/express-openapi-validator/migration.full.test.ts": 0.4,
    "src/migrate/tools/openapi-backend/migration.full.test.ts": 0.8,
  },
  "packages/conformance-runtime": {
    "src/report/html.browser.full.test.ts": 0.2,
  },
  "packages/diff": {
    "src/compare-descriptions.property.test.ts": 0.5,
    "src/compares-all-of-the-model.full.test.ts": 0.5,
  },
  "packages/http-runtime": {
    "src/decode/json-text.test.ts": 0.1,
    "src/decode/media-type.test.ts": 0.2,
    "src/decode/query.test.ts": 0.1,
    "src/routing/routes.test.ts": 0.1,
  },
  "packages/model": {
    "src/incremental/structural-sharing.test.ts": 0.5,
  },
  "packages/openapi": {
    "src/lint/patterns/backtracking.test.ts": 0.5,
  },
  "packages/plumbline": {
    "src/commands/migrate-command.full.test.ts": 0.8,
    "src/pipeline.property.test.ts": 0.5,
    "src/write/writer.full.test.ts": 0.5,
  },
  "packages/server-runtime": {
    "src/adapters/client-disconnects.test.ts": 0.2,
  },
  "packages/service": {
    "src/store/unreachable.full.test.ts": 0.5,
    "test/conformance.test.ts": 4,
    "test/crash.test.ts": 5,
    "test/instances.test.ts": 0.3,
    "test/life.test.ts": 62,
    "test/replicas.test.ts": 0.5,
    "test/uploads.test.ts": 0.3,
  },
  "packages/validator-runtime": {
    "src/adapters/routers.test.ts": 0.2,
    "src/checks/lengths.test.ts": 0.1,
    "src/checks/values.test.ts": 0.1,
  },
  test: {
    "codemods/foreign-packages.full.test.ts": 0.5,
    "codemods/impact.full.test.ts": 0.5,
    "codemods/migrate-clients.full.test.ts": 1,
    "codemods/migrate-servers.full.test.ts": 0.5,
    "codemods/migrate-versions.full.test.ts": 0.5,
    "bench.full.test.ts": 1.5,
    "codemods/handlers.full.test.ts": 7,
    "plumbline/bundle.full.test.ts": 0.3,
    "plumbline/check.test.ts": 1.5,
    "conformance/annotated.test.ts": 14,
    "conformance/ignored-updates.full.test.ts": 0.1,
    "conformance/foreign.test.ts": 1,
    "conformance/generated-servers.full.test.ts": 0.5,
    "client/openapi-types.test.ts": 0.2,
    "completion.full.test.ts": 0.5,
    "contributing.full.test.ts": 1,
    "conformance/faults.full.test.ts": 4,
    "conformance/mutants.full.test.ts": 10,
    "plumbline/foreign.test.ts": 2,
    "plumbline/generated-names.test.ts": 1.5,
    "plumbline/generators.full.test.ts": 1,
    "publish/api.full.test.ts": 0.5,
    "plumbline/hostile.test.ts": 1.5,
    "plumbline/interrupted.test.ts": 8,
    "conformance/vitest.full.test.ts": 2,
    "mock/browser.full.test.ts": 0.2,
    "mock/cloud-compute.full.test.ts": 1,
    "mock/foreign-suites.full.test.ts": 3,
    "mcp/foreign.full.test.ts": 0.7,
    "validator/ajv.test.ts": 2,
    "validator/json-schema.test.ts": 0.5,
    "plumbline/linear.full.test.ts": 3,
    "plumbline/linear.test.ts": 1,
    "plumbline/random-descriptions.test.ts": 2.5,
    "site/console.browser.full.test.ts": 1,
    "site/foreign.full.test.ts": 0.5,
    "site/hostile.browser.full.test.ts": 1,
    "site/site.browser.full.test.ts": 1,
    "publish/init.full.test.ts": 2.5,
    "publish/install.full.test.ts": 2.5,
    "publish/release.full.test.ts": 1,
    "publish/types.full.test.ts": 0.5,
    "readme.full.test.ts": 1,
    "turbo.full.test.ts": 2,
    "validator/clients.test.ts": 0.5,
    "validator/fuzz.test.ts": 2.5,
    "validator/property.test.ts": 7,
    "conformance/workflows.full.test.ts": 1.5,
  },
};
