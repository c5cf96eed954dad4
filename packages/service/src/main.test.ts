import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { main } from "./main.js";

test("--version prints the version of the package", async () => {
  const written = vi.spyOn(process.stdout, "write").mockImplementation(() => true);
  await main(["--version"]);
  const lines = written.mock.calls.map(([text]) => String(text));
  written.mockRestore();
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly version: string;
  };
  expect(lines).toEqual([`${version}\n`]);
});
