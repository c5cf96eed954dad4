import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { withGenerator } from "../support/generator.js";
import { plumblineProgram } from "../support/run.js";

describe("a generator that goes wrong", () => {
  it("because it hangs can be watched, and interrupted", async () => {
    const folder = await withGenerator("() => new Promise(() => setInterval(() => console.error('busy'), 100))");
    const child = spawn(process.execPath, [plumblineProgram, "generate", "--watch"], {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    let said = "";
    await new Promise<void>((resolve) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.includes("after 5 s.\n")) resolve();
      });
    });
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
    expect(said.replaceAll("busy\n", "")).toBe("mine is still running after 5 s.\n");
  });
});
