import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@cloud-compute/client";
import * as controls from "@cloud-compute/controls-client";
import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../testing.support.js";

test("no token and no scratch code is on disk in clear text", async () => {
  const folder = mkdtempSync(join(tmpdir(), "credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { admin, controls: client } = await start(["--data", folder]);
  const { token } = await api.createToken(admin, { body: { label: "on-disk" } });
  const app = await controls.createApp(client, { body: { label: "editor", scopes: "*" } });
  const security_questions = [1, 2, 3].map((question_id) => ({ question_id, response: "Gotham" }));
  await api.answerSecurityQuestions(admin, { body: { security_questions } });
  const { secret } = await api.enableTwoFactor(admin);
  const tfa_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { scratch } = await api.confirmTwoFactor(admin, { body: { tfa_code } });
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), "latin1"))
    .join();
  expect(kept).toContain("on-disk");
  for (const text of [token, app.token, scratch]) expect(kept).not.toContain(text);
  expect(kept).toContain(token.slice(0, 16));
});
