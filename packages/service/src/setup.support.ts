import { afterAll } from "vitest";
import { closeIdleServices } from "./idle-services.support.js";

// Vitest runs this file before each test file.
afterAll(closeIdleServices);
