import { execFileSync } from "node:child_process";
import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { brokenInvariants } from "./support/invariants.js";
import { run } from "./support/program.js";
import { statusOf } from "./support/status.js";
import { inFile } from "./support/stores.js";

const question = (index: number) => ({ body: { label: `tag-${index}` } });

test("the service responds with 503 on a full disk, loses nothing, and recovers", async () => {
  const { args, open } = await inFile();
  const program = await run(args);
  const made: string[] = [];
  const create = async (index: number): Promise<number> => {
    const status = await statusOf(api.createTag(program.admin, question(index)));
    if (status === 200) made.push(`tag-${index}`);
    return status;
  };
  for (let index = 0; index < 20; index += 1) expect(await create(index)).toBe(200);
  // From now on no file may grow beyond the current size of the log, give or take a page.
  limitFiles(program.pid, "65536");
  const full: number[] = [];
  for (let index = 20; index < 120; index += 1) full.push(await create(index));
  expect(full.at(-1)).toBe(503);
  expect(new Set(full)).toEqual(new Set(full.includes(200) ? [200, 503] : [503]));
  // Reads still succeed.
  expect(await statusOf(api.listRegions(program.admin))).toBe(200);
  limitFiles(program.pid, "unlimited");
  for (let index = 120; index < 140; index += 1) expect(await create(index)).toBe(200);
  const { data } = await api.listTags(program.admin, { query: { page: 1, page_size: 500 } });
  expect(data.map(({ label }) => label).toSorted()).toEqual(made.toSorted());
  expect(await program.end("SIGTERM")).toBe(0);
  const store = await open();
  expect(await store.survey(Date.now(), brokenInvariants)).toEqual([]);
  await store.close();
});

function limitFiles(pid: number, size: string): void {
  execFileSync("prlimit", ["--pid", String(pid), `--fsize=${size}:unlimited`]);
}
