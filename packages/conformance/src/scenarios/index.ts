import type { Scenarios } from "@plumbline/conformance-runtime";
import { imageUpload } from "./image-upload.js";
import { importDomain, nameServer } from "./import-domain.js";
import { preferencesLength } from "./preferences.js";
import { oneTimeCode, scratchCode, secretExpires, wrongCode } from "./two-factor.js";

/** Scenarios in code, by the names in spec/workflows/scenarios.yaml and spec/conformance.yaml. */
export const scenarios: Scenarios = {
  "image-upload": imageUpload,
  "import-domain": importDomain,
  "name-server": nameServer,
  "one-time-code": oneTimeCode,
  "preferences-length": preferencesLength,
  "two-factor-scratch-code": scratchCode,
  "two-factor-secret-expires": secretExpires,
  "two-factor-wrong-code": wrongCode,
};
