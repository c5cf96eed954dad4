export {
  registerConformanceTests,
  type ConformanceTestOptions,
  type DeferredValue,
  type TestFramework,
  type TestRunContext,
} from "./register-tests.js";
