import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@cloud-compute/client";
import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { start } from "../testing.support.js";
import * as controls from "../testing/index.js";

test("what is on disk in clear text is what SECURITY.md lists", async () => {
  const folder = mkdtempSync(join(tmpdir(), "credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { admin, controls: client } = await start(["--data", folder]);
  const { token } = await api.createToken(admin, { body: { label: "on-disk" } });
  const app = await controls.createApp(client, { body: { label: "editor", scopes: "*" } });
  const security_questions = [1, 2, 3].map((question_id) => ({ question_id, response: `Gotham ${question_id}` }));
  await api.answerSecurityQuestions(admin, { body: { security_questions } });
  const { secret } = await api.enableTwoFactor(admin);
  const tfa_code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { scratch } = await api.confirmTwoFactor(admin, { body: { tfa_code } });
  await api.sendPhoneCode(admin, { body: { iso_code: "US", phone_number: "212-555-0123" } });
  const [message] = (await controls.listMessages(client, {})).data;
  const root_pass = "aComplex-P4ssword";
  const instance = { region: "us-east", type: "g6-nanode-1", image: "compute/debian12", root_pass };
  await api.createInstance(admin, { body: instance });
  const upload = await api.uploadImage(admin, { body: { label: "up", region: "us-east" } });
  const node_pools = [{ type: "g6-standard-2", count: 1 }];
  const body = { label: "a", region: "us-east", k8s_version: "1.30", node_pools };
  const { id: clusterId } = await api.createCluster(admin, { body });
  await controls.settle(client);
  const { kubeconfig } = await api.getClusterKubeconfig(admin, { path: { clusterId } });
  const [, kubeconfigToken = "none"] = /token: (\S+)/.exec(Buffer.from(kubeconfig, "base64").toString()) ?? [];
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), "latin1"))
    .join();
  expect(kept).toContain("on-disk");
  const ticket = upload.upload_to.split("/").at(-1) ?? "";
  for (const text of [token, app.token, scratch, root_pass, ticket]) expect(kept).not.toContain(text);
  for (const text of [secret, message?.code ?? "none", message?.text ?? "none", "Gotham 2", kubeconfigToken])
    expect(kept).toContain(text);
  expect(kept).toContain(token.slice(0, 16));
});
