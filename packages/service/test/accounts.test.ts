import { gzipSync } from "node:zlib";
import * as api from "@cloud-compute/client";
import { expect, test } from "vitest";
import { start, type World } from "../src/testing.support.js";
import * as controls from "../src/testing/index.js";
import { useEverything } from "./support/everything.js";
import { dividedStore, exceptions, partitions, reachOf, watchStatements } from "./support/reach.js";

/** What the controls do that name no account, and an upload, which has no caller. */
async function useControls({ admin, controls: client }: World): Promise<void> {
  const { id } = await api.createInstance(admin, { body: { region: "us-east", type: "g6-nanode-1" } });
  await controls.listInstanceDisks(client, { path: { id } });
  await controls.listMessages(client, { query: { to: "+1" } });
  const script = await controls.createStackScript(client, { body: { label: "a", images: [] } });
  await controls.deleteStackScript(client, { path: { id: script.id } });
  const { upload_to } = await api.uploadImage(admin, { body: { label: "up", region: "us-east" } });
  const uploaded = await fetch(upload_to, {
    method: "PUT",
    headers: { "content-type": "application/octet-stream" },
    body: gzipSync("data"),
  });
  expect(uploaded.status).toBe(200);
  await controls.reset(client);
}

test("each statement of requests and jobs touches one partition by account", async () => {
  const url = await dividedStore();
  const statements = watchStatements();
  const world = await start(["--database-url", url, "--data", ":memory:", "--pace", "0"]);
  await useEverything(world);
  await useControls(world);
  expect(statements.size).toBeGreaterThan(150);
  const { wrong, times } = await reachOf(url, statements);
  expect(wrong).toEqual([]);
  // An exception that nothing needs fails.
  expect([...times.keys()].toSorted()).toEqual(["one account", ...exceptions.map(([, reason]) => reason)].toSorted());
});

test("finds a statement without an account, and rows of two accounts", async () => {
  const url = await dividedStore();
  const statements: readonly (readonly [text: string, values: readonly unknown[]])[] = [
    [`select doc from "tags" where "account" = $1 and "id" in ($2)`, ["a", 1]],
    [`select doc from "tags" where "id" in ($1)`, [1]],
    [
      `insert into counts (account, tbl, owner, n) values ($1, $2, $3, $4), ($5, $6, $7, $8)`,
      ["a", "t", "o", 1, "b", "t", "o", 1],
    ],
    [`delete from "tags"`, []],
  ];
  const { wrong, times } = await reachOf(
    url,
    new Map(statements.map(([text, values]) => [text, { values, times: 1 }])),
  );
  expect(wrong).toEqual([
    `${partitions} partitions: select doc from "tags" where "id" in ($1)`,
    "2 partitions: insert into counts (account, tbl, owner, n) values ($1, $2, $3, $4), ($5, $6, $7, $8)",
  ]);
  expect(times).toEqual(
    new Map([
      ["one account", 1],
      ["a test control: the reset", 1],
    ]),
  );
});
