import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "../support/pets.js";
import { unremovedFolder } from "../support/places.js";
import { copyTiny, createTiny, type Tiny } from "./tiny.js";

/** A registry without packages; `release.full.test.ts` publishes to a real one. */
const registry = createServer((_, response) => response.writeHead(404).end("{}"));
let tiny: Tiny;
beforeAll(async () => {
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const configure = (folder: string) => {
    const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const lines = ["shop", "farm"].map((scope) => `@${scope}:registry=${url}\n`);
    return writeFile(path.join(folder, ".npmrc"), lines.join(""));
  };
  tiny = await createTiny(configure, {}, await unremovedFolder());
});
afterAll(async () => {
  registry.close();
  await rm(tiny.folder, { recursive: true });
});

describe("a release", () => {
  it("is rejected with uncommitted changes, on another branch, and when its checks fail", async () => {
    const { folder, git, release } = await copyTiny(tiny);
    await place(folder, { "check.cjs": 'throw new Error("ants are stale");' });
    const changed = await release();
    expect(changed).toMatchObject({ code: 1, out: "" });
    expect(changed.error).toMatch(/^There are uncommitted changes:\n M check\.cjs\n {2}Commit them/);
    await git("commit", "--quiet", "--all", "--message", "Stale");
    // Git does not list such files, but a commit would still contain them.
    await git("config", "status.showUntrackedFiles", "no");
    await place(folder, { "secret.txt": "" });
    expect((await release()).error).toMatch(/^There are uncommitted changes:\n\?\? secret\.txt\n/);
    await rm(path.join(folder, "secret.txt"));
    const stale = await release();
    expect(stale).toMatchObject({ code: 1, out: "npm run check\n" });
    expect(stale.error).toMatch(/^npm run check failed\.\n[^]*ants are stale/);
    await git("switch", "--quiet", "--create", "side");
    expect(await release()).toEqual({
      code: 1,
      out: "",
      error: "The branch is side; releases require main.\n  git switch main\n",
    });
  });

  it("requires an origin in jobs that support provenance", async () => {
    const { release } = tiny;
    const alone = await release(["--dry-run"], { ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1:9/token" });
    expect(alone).toEqual({
      code: 1,
      out: "",
      error: "Provenance needs an origin.\n  git remote add origin https://…\n",
    });
  });

  it("reports unknown options, and its usage", async () => {
    const { release } = tiny;
    expect(await release(["--dry"])).toMatchObject({
      code: 2,
      error: expect.stringMatching(/^Unknown option '--dry'/) as string,
    });
    expect(await release(["--help"])).toMatchObject({ code: 0, out: expect.stringContaining("Examples:") as string });
  });
});
