import { cp, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { repository, temporaryFolder } from "../support/places.js";
import { compileProject, type Ended, plumbline, plumblineProgram, runNode } from "../support/run.js";
import { startServiceInProcess } from "../support/service-in-process.js";
import { consoleAccess } from "./versions/console-access.js";
import { contactAddresses } from "./versions/contact-addresses.js";
import type { NextVersion } from "./versions/next-version.js";
import { serveNextVersion } from "./versions/translating-server.js";
import { writeNextVersion } from "./versions/write-next-version.js";
import { zoneOwners } from "./versions/zone-owners.js";

/** The versions by the application that uses them, with the end of the command's summary and the lines that it changes. */
const versions: readonly (readonly [app: string, next: NextVersion, summary: string, lines: number])[] = [
  ["contact-addresses", contactAddresses, "18 done, 0 to decide, 0 to check.", 16],
  ["console-access", consoleAccess, "8 done, 0 to decide, 0 to check.", 9],
  ["zone-owners", zoneOwners, "5 done, 3 to decide, 0 to check.", 7],
];

/** Makes the application import a client, and compiles it. */
async function compileWith(app: string, client: string): Promise<Ended> {
  const link = path.join(app, "node_modules/@cloud-compute/client");
  await rm(link, { force: true });
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(client, link);
  return compileProject(app, { in: app });
}

async function readSources(app: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(path.join(app, "src"));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(app, "src", name), "utf8")] as const)),
  );
}

/** The number of lines that differ between two versions of sources. */
function countChangedLines(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>): number {
  return Object.entries(before).reduce((sum, [name, text]) => {
    const lines = new Set((after[name] ?? "").split("\n"));
    return sum + text.split("\n").filter((line) => !lines.has(line)).length;
  }, 0);
}

describe("the next versions of our API", () => {
  it.each(versions)("reach the application %s", async (name, next, summary, lines) => {
    const folder = await temporaryFolder();
    const app = path.join(folder, "app");
    await cp(path.join(repository, "test/migrations/versions", name), app, { recursive: true });
    await symlink(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
    const { url, token } = await startServiceInProcess(["--pace", "0"]);
    const check = async (api: string): Promise<Ended> =>
      runNode([path.join(app, "dist/check.js")], { in: app, env: { API_URL: api, API_TOKEN: token } });

    // Before, with the client of this version and the real service.
    expect(await compileWith(app, path.join(repository, "packages/client"))).toMatchObject({ code: 0, out: "" });
    const passed = await check(url);
    expect(passed).toMatchObject({ code: 0, error: "" });

    await writeNextVersion(folder, next.changes);
    const generated = await plumbline(["generate"], { in: path.join(folder, "spec") });
    expect(generated.code, generated.error).toBe(0);
    for (const each of ["client", "validator"]) {
      const compiled = await compileProject(path.join(folder, "packages", each), { in: folder });
      expect(compiled).toMatchObject({ code: 0 });
    }
    const nextUrl = await serveNextVersion(path.join(folder, "packages"), url, next);
    // The application as it is neither compiles with the next client, nor does the next version accept what it sends.
    expect((await check(nextUrl)).code).not.toBe(0);

    const before = await readSources(app);
    const migrated = await runNode(
      [plumblineProgram, "migrate", path.join(repository, "spec"), "spec", "--code", "app/src", "--write"],
      { in: folder },
    );
    expect(migrated).toMatchObject({ code: 0, error: "" });
    const after = await readSources(app);
    const compiled = await compileWith(app, path.join(folder, "packages/client"));
    const decisions = next.decisions ?? [];
    if (decisions.length > 0) {
      const errors = compiled.out.split("\n").filter((line) => line.includes("error TS"));
      expect(errors.filter((line) => !line.includes("Cannot find name 'TODO'."))).toEqual([]);
      for (const [file, text] of Object.entries(after)) {
        const decided = decisions.reduce(
          (code, { marker, decided: value }) => code.replaceAll(new RegExp(marker, "g"), value),
          text,
        );
        await writeFile(path.join(app, "src", file), decided);
      }
      const again = await compileWith(app, path.join(folder, "packages/client"));
      expect(again).toMatchObject({ code: 0, out: "" });
    } else expect(compiled).toMatchObject({ code: 0, out: "" });
    expect(await check(nextUrl)).toEqual(passed);
    expect(migrated.out).toMatch(new RegExp(`${summary.replaceAll(".", String.raw`\.`)}\n$`));
    expect(countChangedLines(before, after)).toBe(lines);
  });
});
