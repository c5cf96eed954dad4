import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { repository, temporaryFolder } from "../support/places.js";
import { startRegistry, type Registry } from "../support/registry.js";
import { createTiny, manifest, type Tiny } from "./tiny.js";

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry({ shop: "alice", farm: "bob", mill: "alice" });
});
afterAll(() => registry.close());

/** It belongs to Alice, who may publish one of its packages. */
const tiny = (more: Readonly<Record<string, string>> = {}): Promise<Tiny> =>
  createTiny((folder) => registry.configure(folder, "alice"), more);

const checks = "npm run check\nnpm run build\n";

// On a busy machine, each of the many programs of a release needs seconds.
describe("a release", { timeout: 300_000 }, () => {
  it("prints its plan, runs until an error, resumes there, and then does nothing", async () => {
    const changeset = '---\n"@shop/bee": minor\n---\n\nIt flies.\n';
    const { folder, git, release } = await tiny({ ".changeset/flies.md": changeset });
    await git("remote", "add", "origin", "https://alice:secret@git.example.com/alice/tiny");

    const planned = `${checks}@shop/bee 1.0.0 → 1.1.0 (minor)\n`;
    expect(await release(["--dry-run"])).toEqual({
      code: 0,
      out: `${planned}@shop/bee@1.1.0 would be published\n@farm/ant@1.0.0 would be published\n`,
      error: "",
    });
    expect(await git("log", "--format=%s")).toBe("The first");

    const stopped = await release();
    expect(stopped).toMatchObject({ code: 1, out: `${planned}@shop/bee@1.1.0 is published\n` });
    expect(stopped.error).toMatch(
      /^@farm\/ant@1\.0\.0 was not published:\n[^]*user alice is not allowed to publish[^]*again/,
    );
    expect(await git("status", "--porcelain")).toBe("");
    expect(await git("log", "-1", "--format=%B")).toBe("Versions\n\n@shop/bee@1.1.0");
    expect(await git("show", "--format=", "--name-status")).toBe(
      [
        "D\t.changeset/flies.md",
        "A\tgenerated.txt",
        "M\tpackage-lock.json",
        "A\tpackages/bee/CHANGELOG.md",
        "M\tpackages/bee/package.json",
      ].join("\n"),
    );
    expect(await readFile(path.join(folder, "generated.txt"), "utf8")).toBe("1.1.0");
    expect(await readFile(path.join(folder, "packages/bee/CHANGELOG.md"), "utf8")).toMatch(/## 1\.1\.0[^]*It flies\./);

    await registry.configure(folder, "bob");
    const there = `${checks}@shop/bee@1.1.0 is already published\n`;
    expect(await release()).toEqual({ code: 0, out: `${there}@farm/ant@1.0.0 is published\n`, error: "" });
    expect(await release()).toEqual({ code: 0, out: `${there}@farm/ant@1.0.0 is already published\n`, error: "" });

    const reported = await fetch(`${registry.url}/@shop%2fbee/1.1.0`);
    expect(await reported.json()).toMatchObject({
      name: "@shop/bee",
      license: "MIT",
      // Permissions to push are outside of this test.
      repository: { type: "git", url: "git+https://git.example.com/alice/tiny.git", directory: "packages/bee" },
    });
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("that %s ends while it packs leaves no folder behind", async (signal, exit) => {
    const prepack = 'require("node:fs").writeFileSync(process.env.BEGUN, ""); setTimeout(() => {}, 20_000);';
    const bee = manifest({ name: "@shop/bee", scripts: { prepack: "node prepack.cjs" } });
    const { folder } = await tiny({ "packages/bee/package.json": bee, "packages/bee/prepack.cjs": prepack });
    const made = await temporaryFolder();
    const begun = path.join(await temporaryFolder(), "begun");
    const child = spawn(process.execPath, [path.join(repository, "packages", "release", "src", "release.mjs")], {
      cwd: folder,
      env: { ...process.env, TMPDIR: made, BEGUN: begun },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true);
    const isReleases = (name: string): boolean => name.startsWith("release-");
    expect((await readdir(made)).filter(isReleases)).toHaveLength(1);
    child.kill(signal);
    expect(await ended).toEqual([exit, null]);
    expect((await readdir(made)).filter(isReleases)).toEqual([]);
  });

  it("creates provenance in jobs that support it", async () => {
    const { git, release } = await tiny({
      "packages/ant/package.json": manifest({ name: "ant", private: true }),
      "packages/bee/package.json": manifest({ name: "@mill/bee" }),
    });
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: `${registry.url}/-/ping` };
    const alone = await release(["--dry-run"], github);
    expect(alone).toMatchObject({ code: 1 });
    expect(alone.error).toMatch(/^Provenance needs an origin\./);
    await git("remote", "add", "origin", "git@git.example.com:alice/tiny.git");
    expect((await release(["--dry-run"], github)).out).toContain(
      "@mill/bee@1.0.0 would be published with provenance\n",
    );
    // npm itself creates the provenance, and finds that this process is not a job of GitHub.
    expect((await release([], github)).error).toContain("provenance generation not supported");
  });
});
