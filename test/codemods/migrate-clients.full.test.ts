import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openApplication } from "./migrate-clients.support.js";

it.each([
  { tool: "openapi-fetch", generated: "src/api", toDecide: 0 },
  { tool: "hey-api", generated: "src/client", toDecide: 1 },
])(
  "an application with $tool passes its checks before and after",
  { timeout: 120_000 },
  async ({ tool, generated }) => {
    const application = await openApplication(tool);
    const before = await application.check();
    expect(before.length).toBeGreaterThan(10);
    console.log(await application.migrate("--write"));
    await rm(path.join(application.folder, generated), { recursive: true });
    expect(await application.check()).toEqual(before);
  },
);
