import { readdir } from "node:fs/promises";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { WriteError } from "./errors.js";
import { acquireLock } from "./folder-lock.js";

test("gives up waiting, and names the process that is writing", async () => {
  const ticket = `.plumbline.${process.ppid}.6f1e0a52-0e5b-4a8e-9d55-0d8f8f0a7c11.plumbline-tmp`;
  await withFixtureFolder({ [ticket]: "" }, async (folder) => {
    const error = await acquireLock(folder, 3).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WriteError);
    expect(error).toMatchObject({
      path: folder,
      message: `Another run, process ${process.ppid}, is writing here. Wait for it and run the command again. If there is no such process, remove ${ticket}. Nothing was changed.`,
    });
    expect(await readdir(folder)).toEqual([ticket]);
  });
});
