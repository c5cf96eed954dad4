import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const built = fileURLToPath(new URL("../../dist/command/index.js", import.meta.url));

test("a reader that closes the pipe does not break the command", async () => {
  const one = {
    kind: "accepts",
    operation: "listPets",
    title: "It is listed",
    requirements: [],
    requires: [],
    steps: [],
  };
  const program = `
    import { runCommand } from ${JSON.stringify(built)};
    const cases = Array.from({ length: 40000 }, (_, index) => ({ ...${JSON.stringify(one)}, id: "pets/listPets/" + index }));
    const suite = { command: "pets", version: "1", operations: { listPets: { area: "pets" } }, requirements: {}, cases };
    process.exitCode = await runCommand(suite, ["list"], process);
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "pipe"] });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = (await once(child, "close")) as [number];
  expect([code, Buffer.concat(said).toString()]).toEqual([0, ""]);
});
