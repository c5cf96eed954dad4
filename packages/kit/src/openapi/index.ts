export { buildApi } from "./build/build.js";
export { deepFreeze } from "./build/plain-data.js";
export { loadRequirements } from "./build/sources.js";
export { readWorkflowRequirements, type WorkflowNames } from "./build/workflows/workflow-names.js";
export { buildWorkflows } from "./build/workflows/workflows.js";
export { type DiagnosticCode, diagnosticCodes } from "./lint/codes.js";
export {
  lintInBackground,
  type LintJob,
  type LintRun,
  preloadLinter,
  startLintWorker,
} from "./lint/lint-worker-pool.js";
export { didYouMean } from "./read/did-you-mean.js";
export { type Description, loadDescription } from "./read/load.js";
export { type BundleSource, bundleDescription } from "./read/bundle.js";
export { addYamlListItem, printYaml, readYamlList } from "./read/yaml-text.js";
export * from "./read/index.js";
