import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { openServerApplication } from "./migrate-servers.support.js";

/** Wrong rewrites that the checks have to find: a file, a text in it, and what stands in its place. */
const faults = [
  ["src/app.ts", 'basePath: "/v1"', 'basePath: ""'],
  ["src/app.ts", 'validateResponses: "enforce"', 'validateResponses: "off"'],
  ["src/seeds.ts", "input.query.limit", "req.query.limit"],
  ["src/seeds.ts", "inputOf(changeSeed, req)", "inputOf(getSeed, req)"],
] as const;

it("a server on express-openapi-validator passes its checks before and after", async () => {
  const application = await openServerApplication();
  expect(await application.compile()).toMatchObject({ code: 0, out: "" });
  const passed = await application.check();
  expect(passed).toMatchObject({ code: 0, error: "" });
  expect(passed.out).toMatch(/ in order\n$/);

  const migrated = await application.migrate("--write");
  expect(migrated).toMatchObject({ code: 0, error: "" });
  expect(migrated.out.trimEnd().split("\n").at(-1)).toBe("3 files changed: 14 done, 1 to decide, 0 not understood.");
  expect(await application.read("src/app.ts")).not.toContain("express-openapi-validator");
  expect(await application.compile()).toMatchObject({ code: 0, out: "" });
  // Generated packages log the mistakes of handlers that the checks make.
  expect(await application.check()).toMatchObject({ code: 0, out: passed.out });

  for (const [file, from, to] of faults) {
    const text = await application.read(file);
    expect(text).toContain(from);
    await writeFile(path.join(application.folder, file), text.replace(from, to));
    const compiled = await application.compile();
    const checked = await application.check();
    expect(compiled.code === 0 && checked.code === 0, `${file}: ${to}`).toBe(false);
    await writeFile(path.join(application.folder, file), text);
  }
});
