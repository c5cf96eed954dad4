import { expect, it } from "vitest";
import { openServerApplication, type Replacement } from "./migrate-servers.support.js";

/** The sample applications, with the end of the command's summary. */
const applications: readonly (Replacement & { readonly summary: string })[] = [
  {
    tool: "express-openapi-validator",
    artifact: "validator",
    package: "@seeds/validator",
    summary: "3 files changed: 14 done, 1 to decide, 0 not understood.",
  },
  {
    tool: "openapi-backend",
    artifact: "server",
    package: "@shed/server",
    summary: "2 files changed: 10 done, 0 to decide, 0 not understood.",
  },
];

it.each(applications)("a server on $tool passes its checks before and after", { timeout: 300_000 }, async (each) => {
  const application = await openServerApplication(each);
  expect(await application.compile()).toMatchObject({ code: 0, out: "" });
  const passed = await application.check();
  expect(passed).toMatchObject({ code: 0, error: "" });
  expect(passed.out).toMatch(/ in order\n$/);

  const migrated = await application.migrate("--write");
  expect(migrated).toMatchObject({ code: 0, error: "" });
  expect(migrated.out.trimEnd().split("\n").at(-1)).toBe(each.summary);
  expect(await application.read("src/app.ts")).not.toContain(each.tool);
  expect(await application.compile()).toMatchObject({ code: 0, out: "" });
  // Generated packages log the mistakes of handlers that the checks make.
  expect(await application.check()).toMatchObject({ code: 0, out: passed.out });
});
