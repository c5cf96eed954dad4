import { defineConfig } from "vitest/config";
import { packageTests } from "../../test/run/package-tests.js";

export default defineConfig(packageTests);
