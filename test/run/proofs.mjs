/**
 * The test files that have a long form, by workspace, with its approximate minutes (wall time on two cores). CI chooses by them what it has time
 * for. `run.test.ts` fails where a file is missing here, or is listed without need.
 *
 * @type {Readonly<Record<string, Readonly<Record<string, number>>>>}
 */
export const proofs = {
  generators: {
    "src/conformance/case-cache.test.ts": 1,
    "src/diff/compare-descriptions.property.test.ts": 0.5,
    "src/emit/printer.property.test.ts": 0.5,
    "src/emit/writer.full.test.ts": 0.5,
    "src/model/structural-sharing.test.ts": 0.5,
    "src/pipeline.property.test.ts": 0.5,
    "src/spec/patterns/backtracking.test.ts": 0.5,
  },
  "packages/client-runtime": {
    "src/lifetime.test.ts": 0.2,
  },
  "packages/conformance-runtime": {
    "src/report/html.browser.full.test.ts": 0.2,
  },
  "packages/server-runtime": {
    "src/client-disconnects.test.ts": 0.2,
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
    "src/json-text.test.ts": 0.1,
    "src/lengths.test.ts": 0.1,
    "src/media-type.test.ts": 0.2,
    "src/query.test.ts": 0.1,
    "src/routers.test.ts": 0.2,
    "src/routes.test.ts": 0.1,
    "src/values.test.ts": 0.1,
  },
  test: {
    "bench.full.test.ts": 1.5,
    "check.test.ts": 1.5,
    "conformance.foreign.test.ts": 1,
    "contributing.test.ts": 1,
    "faults.full.test.ts": 4,
    "foreign.test.ts": 2,
    "generators.full.test.ts": 1,
    "hostile.test.ts": 1.5,
    "interrupted.test.ts": 8,
    "json-schema.test.ts": 0.5,
    "linear.full.test.ts": 3,
    "publish/init.full.test.ts": 2.5,
    "publish/install.full.test.ts": 2.5,
    "publish/release.full.test.ts": 1,
    "publish/types.full.test.ts": 0.5,
    "readme.full.test.ts": 1,
    "turbo.full.test.ts": 2,
    "validator.clients.test.ts": 0.5,
    "validator.fuzz.test.ts": 2.5,
    "validator.property.test.ts": 7,
    "workflows.full.test.ts": 1.5,
  },
};
