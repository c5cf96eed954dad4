export { checkCustomKeyword, hasCustomFormat } from "./active-checks.js";
export { bindCustomChecks, bindTarget, ignoreCustomChecks, type BoundChecks, type CheckTarget } from "./bind-checks.js";
export type { CustomCheckNames, CustomChecks, FormatCheck, KeywordCheck } from "./custom-checks.js";
export { replacedInputOf as customInputOf } from "../adapters/replaced-operations.js";
