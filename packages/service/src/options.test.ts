import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@plumbline/command-line";
import { expect, onTestFinished, test } from "vitest";
import { optionsOf } from "./options.js";
import { readVariable } from "./serve-options.js";

test("an option comes from the arguments, else from the environment, else from its default", () => {
  expect(optionsOf(["--port", "0"], { CLOUD_COMPUTE_PORT: "81", CLOUD_COMPUTE_CONTROLS_PORT: "82" })).toMatchObject({
    host: "127.0.0.1",
    port: 0,
    controlsPort: 82,
    pace: 1,
  });
});

test("an empty variable counts as not set", () => {
  const environment = {
    CLOUD_COMPUTE_HOST: "",
    CLOUD_COMPUTE_PORT: "",
    CLOUD_COMPUTE_DATA: "",
    CLOUD_COMPUTE_TOKEN: "",
    CLOUD_COMPUTE_DATABASE_URL: "",
  };
  expect(optionsOf([], { ...environment, HOME: "/h" })).toEqual(optionsOf([], { HOME: "/h" }));
});

test.each(["--host", "--data", "--upload-dir", "--port", "--pace"])("%s needs a value", (option) => {
  expect(() => optionsOf([`${option}=`], {})).toThrow(new UsageError(`${option} needs a value.`));
});

test("a token has at least 32 characters", () => {
  expect(optionsOf([], { CLOUD_COMPUTE_TOKEN: "t".repeat(32) }).token).toHaveLength(32);
  expect(() => optionsOf([], { CLOUD_COMPUTE_TOKEN: "t".repeat(31) })).toThrow(UsageError);
});

test("a secret may be in a file, and nothing else", () => {
  const folder = mkdtempSync(join(tmpdir(), "cloud-compute-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [token, url] = [join(folder, "token"), join(folder, "url")];
  writeFileSync(token, `${"t".repeat(32)}\n`);
  writeFileSync(url, "postgres://localhost/cloud\n");
  const environment = { CLOUD_COMPUTE_TOKEN_FILE: token, CLOUD_COMPUTE_DATABASE_URL_FILE: url };
  expect(optionsOf([], { ...environment, CLOUD_COMPUTE_PORT_FILE: url })).toMatchObject({
    token: "t".repeat(32),
    databaseUrl: "postgres://localhost/cloud",
    port: 8080,
  });
  expect(readVariable("from", { CLOUD_COMPUTE_FROM_FILE: url })).toBe("postgres://localhost/cloud");
  expect(() => optionsOf([], { ...environment, CLOUD_COMPUTE_TOKEN: "u".repeat(32) })).toThrow(
    new UsageError("Set CLOUD_COMPUTE_TOKEN or CLOUD_COMPUTE_TOKEN_FILE, not both."),
  );
  expect(() => optionsOf([], { CLOUD_COMPUTE_TOKEN_FILE: join(folder, "none") })).toThrow(
    /^CLOUD_COMPUTE_TOKEN_FILE cannot be read: ENOENT/,
  );
});
