import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { place } from "../support/pets.js";
import { repository, temporaryFolder, unremovedFolder } from "../support/places.js";
import { publishAll, type Published } from "../support/publishing.js";
import { run, type Ended } from "../support/run.js";
import { newcomers } from "./newcomers.js";

/** All of them; `PUBLISH=one` tries the first. */
const tried = newcomers.slice(0, process.env["PUBLISH"] === "one" ? 1 : undefined);

let published: Published;
let cache: string;
beforeAll(async () => {
  published = await publishAll({ isWhole: false });
  expect(published.ended).toMatchObject({ code: 0 });
  cache = await ownCache();
});
afterAll(async () => {
  await published.close();
  await rm(cache, { recursive: true, force: true });
});

describe("a new user with a description and nothing else", () => {
  it.each(tried)("has a client, and a server that does as described: $name", async (newcomer) => {
    const folder = path.join(await temporaryFolder(), "shop");
    await mkdir(folder);
    await published.registry.configure(folder);
    const example = path.join(repository, "node_modules", "@readme", "oas-examples", newcomer.description);
    await copyFile(example, path.join(folder, "openapi.json"));

    await ran(folder, ["npm", "init", "-y"]);
    // npm finds only scopes in a second registry. A user needs no address: the name is in the registry that npm asks first.
    await ran(folder, ["npm", "install", "--save-dev", await published.tarball("plumbline")]);
    const init = "npx plumbline init openapi.json --yes";
    const { out } = await ran(folder, init.split(" "));
    expect(out).toMatch(/^wrote {4}spec\/plumbline\.yaml\nchanged {2}package\.json: workspaces, scripts\.generate, /);
    const [, next = ""] = /\nNext:\n([^]*)$/.exec(out) ?? [];
    const commands = next.trim().split("\n");
    expect(commands).toHaveLength(3);
    for (const command of commands) await ran(folder, ["sh", "-c", command]);

    const before = await readFile(path.join(folder, "package-lock.json"), "utf8");
    expect(before).toContain('"node_modules/@shop/server"');
    await place(folder, { "server.mts": newcomer.server, "calling.mts": newcomer.calling });
    await ran(folder, ["npm", "install", "--save-dev", "@types/node@20.19.43"]);
    const options = "--module nodenext --target es2022 --strict --skipLibCheck --types node";
    await ran(folder, ["npx", "tsc", ...options.split(" "), "server.mts", "calling.mts"]);
    await ran(folder, ["npm", "run", "check"]);

    const url = await serving(folder);
    const called = await ran(folder, [process.execPath, "calling.mjs", url]);
    expect(called).toEqual({ code: 0, out: newcomer.says, error: "" });
    await place(folder, { "profile.json": JSON.stringify(newcomer.profile) });
    const suite = ["shop-conformance", "run", "--url", url, "--profile", "profile.json"];
    const validated = await ran(folder, ["npx", ...suite]);
    expect(validated.out).toMatch(/^\d+ cases and \d+ requests in .*\nAll cases passed\.$/m);
    expect(validated.out).not.toMatch(/skipped|could not run|known-fail/);
  });
});

/** Runs a command to its end, which has to be a good one. */
async function ran(folder: string, [program = "", ...args]: readonly string[]): Promise<Ended> {
  const env = {
    npm_config_cache: cache,
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_yes: "true",
  };
  const ended = await run(program, args, { in: folder, env });
  expect(ended.code, `${program} ${args.join(" ")}\n${ended.out}${ended.error}`).toBe(0);
  return ended;
}

/** Where their server listens, until the test ends. */
async function serving(folder: string): Promise<string> {
  const child = spawn(process.execPath, ["server.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  const early = ended.then(([code]) => {
    throw new Error(`the server ended with ${code} before it listened`);
  });
  const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), early])) as [string];
  return line;
}

/** The npm cache without installations of npx: a version that is published twice would resolve to the first one. */
async function ownCache(): Promise<string> {
  const folder = await unremovedFolder();
  const { out } = await run("npm", ["config", "get", "cache"], { in: folder });
  await symlink(path.join(out.trim(), "_cacache"), path.join(folder, "_cacache"), "dir");
  return folder;
}
