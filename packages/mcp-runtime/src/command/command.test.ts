import { describe, expect, it } from "vitest";
import { notes } from "../notes.support.js";
import { runCommand } from "./index.js";

async function run(args: readonly string[], env: Readonly<Record<string, string>> = { NOTES_TOKEN: "secret" }) {
  const texts = { out: "", error: "" };
  const code = await runCommand(notes, args, {
    stdout: { write: (text) => void (texts.out += text) },
    stderr: { write: (text) => void (texts.error += text) },
    env,
    once: () => {},
  });
  return { code, ...texts };
}

describe("invalid usage exits with 2, and the message has the fix", () => {
  it.each<[string, readonly string[], string]>([
    ["a command", ["sevre"], 'Unknown command "sevre". Did you mean "serve"?'],
    ["an option", ["--tokn", "x"], 'Unknown option --tokn. Did you mean "--token"?'],
    ["no address", [], "Missing address of the API. Pass --url, or set NOTES_URL."],
    [
      "no URL",
      ["--url", "localhost:80"],
      '--url "localhost:80" is not the address of an API. Write a complete URL, such as http://127.0.0.1:8080/v4.',
    ],
    [
      "an effect",
      ["--url", "http://x", "--allow", "everything"],
      '--allow "everything" is not "write", "delete" or the name of a tool. `notes-mcp list --allow delete` prints all names.',
    ],
    [
      "a tool",
      ["--url", "http://x", "--tools", "notse"],
      '--tools "notse" matches no name or tag. `notes-mcp list --allow delete` prints all names.',
    ],
    ["a time", ["--url", "http://x", "--timeout", "0"], '--timeout is an integer from 1 to 3600, not "0".'],
    ["a port", ["--url", "http://x", "--port", "65536"], '--port is an integer from 0 to 65535, not "65536".'],
    [
      "a host without a port",
      ["--url", "http://x", "--host", "::1"],
      "--host needs --port. Pass the port to listen on.",
    ],
  ])("%s", async (_, args, message) => {
    expect(await run(args)).toEqual({ code: 2, out: "", error: `${message}\nSee notes-mcp --help.\n` });
  });

  it("no token, where every tool requires one", async () => {
    const { code, error } = await run(["--url", "http://x"], {});
    expect({ code, error: error.split("\n")[0] }).toEqual({
      code: 2,
      error: "Missing token. Set NOTES_TOKEN, or pass --token.",
    });
  });
});

it("exits with 1 where it cannot serve, and prints no token", async () => {
  const { code, error } = await run(["--url", "http://x", "--port", "0", "--host", "0.0.0.0"]);
  expect({ code, error }).toEqual({
    code: 1,
    error: "notes-mcp: Other machines reach 0.0.0.0. Set an access token, or listen on 127.0.0.1.\n",
  });
});

it("prints help, the version, the tools and completion", async () => {
  const help = await run(["--help"]);
  expect(help.code).toBe(0);
  expect(help.out).toContain("\nExamples\n");
  expect(help.out.split("\n").filter((line) => line.length > 140)).toEqual([]);
  expect(await run(["--version"])).toMatchObject({ code: 0, out: "notes-mcp 1.2.3\n" });
  expect((await run(["list", "--allow", "write"])).out).toMatch(
    /^getNote {5}read {4}notes: Get a note\ncreateNote {2}write {3}notes: Create a note\n2 of 3 tools, \d+ bytes for the client\.\n$/,
  );
  expect(JSON.parse((await run(["list", "--json", "--scopes", "admin", "--allow", "delete"])).out)).toMatchObject({
    tools: [{ name: "deleteNote" }],
  });
  expect((await run(["completion", "bash"])).out).toContain("--max-result");
});
