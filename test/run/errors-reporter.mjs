import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** @typedef {import("vitest/reporters").Reporter} Reporter */

/**
 * A reporter of vitest: writes errors to `reports/errors.json`, so that the end of a run can repeat them. Vitest's JSON report
 * lacks the errors that belong to no test, and each of those fails a run as well.
 *
 * @implements {Reporter}
 */
export default class ErrorsReporter {
  /**
   * @param {readonly import("vitest/node").TestModule[]} modules
   * @param {readonly { readonly message?: string, readonly stack?: string }[]} unhandled
   */
  onTestRunEnd(modules, unhandled) {
    const errors = [
      ...modules.flatMap((module) => [
        ...module.errors().map((error) => `${module.relativeModuleId}: ${textOf(error)}`),
        ...[...module.children.allTests("failed")].map(
          (test) =>
            `${module.relativeModuleId}: ${test.fullName}: ${(test.result().errors ?? []).map(textOf).join("\n")}`,
        ),
      ]),
      ...unhandled.map((error) => `an error outside of all tests: ${textOf(error)}`),
    ];
    mkdirSync("reports", { recursive: true });
    writeFileSync(path.join("reports", "errors.json"), JSON.stringify(errors));
  }
}

/** @param {{ readonly message?: string, readonly stack?: string }} error */
function textOf({ message, stack }) {
  return (stack ?? message ?? "unknown").slice(0, 2000);
}
