import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, temporaryFolder } from "../support/places.js";
import { startRegistry, type Registry } from "../support/registry.js";
import { createTiny, manifest, type Tiny } from "./tiny.js";

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry({ "@shop": "alice", "@farm": "bob", "@mill": "alice" });
});
afterAll(() => registry.close());

/** It belongs to Alice, who may publish one of its packages. */
const tiny = (more: Readonly<Record<string, string>> = {}): Promise<Tiny> =>
  createTiny((folder) => registry.configure(folder, "alice"), more);

// On a busy machine, each of the many programs of a release needs seconds.
describe("a release", () => {
  it("checks, and prints the planned versions", async () => {
    const changeset = '---\n"@shop/bee": minor\n---\n\nIt flies.\n';
    const { git, release } = await tiny({ ".changeset/flies.md": changeset });
    const { code, out } = await release(["--dry-run"]);
    expect(code).toBe(0);
    expect(out.split("\n").slice(0, 2)).toEqual(["npm run check", "npm run build"]);
    expect(out).toMatch(/minor[^]*@shop\/bee[^]*1\.1\.0/);
    expect(out).toContain("git has no public origin: packages will have no repository address\n");
    expect(out).not.toContain("provenance");
    expect(await git("log", "--format=%s")).toBe("The first");
    expect(await git("status", "--porcelain")).toBe("");
  });

  it("announces provenance in jobs that support it", async () => {
    const { git, release } = await tiny();
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: "http://127.0.0.1:9/token" };
    await git("remote", "add", "origin", "git@git.example.com:alice/tiny.git");
    expect((await release(["--dry-run"], github)).out).toContain("npm will publish with provenance\n");
    expect((await release(["--dry-run"])).out).not.toContain("provenance");
  });

  it("publishes up to an error, publishes the rest in its next run, and then nothing", async () => {
    const changeset = '---\n"@shop/bee": minor\n---\n\nIt flies.\n';
    const { folder, git, release } = await tiny({ ".changeset/flies.md": changeset });
    await git("remote", "add", "origin", "https://alice:secret@git.example.com/alice/tiny");

    const stopped = await release();
    expect(stopped).toMatchObject({ code: 1, out: expect.stringContaining("New tag:  @shop/bee@1.1.0") as string });
    expect(stopped.out + stopped.error).toMatch(/user alice is not allowed to publish/);
    expect(stopped.error).toMatch(/changeset publish failed\.\n[^]*again/);
    expect(await git("status", "--porcelain")).toBe("");
    expect(await git("log", "-1", "--format=%s")).toBe("repo: release new versions");
    expect(await git("tag")).toBe("@shop/bee@1.1.0");
    expect(await git("show", "--format=", "--name-status", "HEAD")).toBe(
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
    const resumed = await release();
    expect({ code: resumed.code, error: resumed.error }).toMatchObject({ code: 0 });
    expect(resumed.out).toContain("New tag:  @farm/ant@1.0.0");
    expect(resumed.out).not.toContain("New tag:  @shop/bee");
    const idle = await release();
    expect(idle.code).toBe(0);
    expect(idle.out + idle.error).toContain("No unpublished projects to publish");
    expect(await git("status", "--porcelain")).toBe("");

    const reported = await fetch(`${registry.url}/@shop%2fbee/1.1.0`);
    expect(await reported.json()).toMatchObject({
      name: "@shop/bee",
      license: "MIT",
      // Permissions to push are outside of this test.
      repository: { type: "git", url: "git+https://git.example.com/alice/tiny.git", directory: "packages/bee" },
      homepage: "https://git.example.com/alice/tiny#readme",
      bugs: { url: "https://git.example.com/alice/tiny/issues" },
    });
  });

  it("restores the manifests after Ctrl-C", async () => {
    const prepack = 'require("node:fs").writeFileSync(process.env.BEGUN, ""); setTimeout(() => {});';
    const bee = manifest({ name: "@shop/bee", scripts: { prepack: "node prepack.cjs" } });
    const { folder, git } = await tiny({ "packages/bee/package.json": bee, "packages/bee/prepack.cjs": prepack });
    await git("remote", "add", "origin", "https://git.example.com/alice/tiny");
    const begun = path.join(await temporaryFolder(), "begun");
    const child = spawn(process.execPath, [path.join(repository, "test", "release", "release.mjs")], {
      cwd: folder,
      env: { ...process.env, ACTIONS_ID_TOKEN_REQUEST_URL: "", SIGSTORE_ID_TOKEN: "", BEGUN: begun },
      stdio: "ignore",
      detached: true, // a process group of its own, as a terminal gives it
    });
    const group = -(child.pid ?? Number.NaN);
    const ended = once(child, "exit");
    await expect.poll(() => existsSync(begun), { timeout: 60_000 }).toBe(true);
    expect(await git("status", "--porcelain")).toContain("packages/bee/package.json");
    process.kill(group, "SIGINT");
    expect(await ended).toEqual([1, null]);
    expect(await git("status", "--porcelain")).toBe("");
  });

  it("has npm create provenance in jobs that support it", async () => {
    const { git, release } = await tiny({
      "packages/ant/package.json": manifest({ name: "ant", private: true }),
      "packages/bee/package.json": manifest({ name: "@mill/bee" }),
    });
    const github = { ACTIONS_ID_TOKEN_REQUEST_URL: `${registry.url}/-/ping` };
    await git("remote", "add", "origin", "git@git.example.com:alice/tiny.git");
    // npm itself creates the provenance, and finds that this process is not a job of GitHub.
    const { code, out, error } = await release([], github);
    expect(code).toBe(1);
    expect(out + error).toContain("provenance generation not supported");
  });
});
