import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as api from "@cloud-compute/client";
import { createClient } from "@cloud-compute/client";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { serveOptions } from "../src/serve-options.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { startCommand } from "./support/command.js";
import { token } from "./support/program.js";
import { statusOf } from "./support/status.js";

const textOf = (name: string): string => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8");
const dockerfile = textOf("Dockerfile");
const image = Object.fromEntries(
  (/^ENV (.*)$/m.exec(dockerfile)?.[1] ?? "").split(" ").map((each) => each.split("=")),
) as Readonly<Record<string, string>>;

interface Container {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
}

const { services } = parse(textOf("compose.yaml")) as {
  readonly services: Readonly<Record<"migration" | "service", Container>>;
};

test("the containers set variables that the program reads", () => {
  const options = Object.keys(serveOptions).map((key) => key.replaceAll(/[A-Z]/g, "_$&").toUpperCase());
  const known = new Set([...options, "DATABASE_URL_FILE", "TOKEN_FILE"].map((name) => `CLOUD_COMPUTE_${name}`));
  const set = [image, services.migration.environment, services.service.environment].flatMap(Object.keys);
  expect(set.filter((name) => name !== "NODE_ENV" && !known.has(name))).toEqual([]);
});

test("the replicas share the data of images", () => {
  expect(services.service.volumes).toEqual([
    expect.stringMatching(new RegExp(`^\\w+:${image["CLOUD_COMPUTE_DATA"]}$`)),
  ]);
});

test("the program starts as the containers start it, with ports and folders of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "database-url"), await sharedPostgres().emptyDatabase());
  writeFileSync(join(folder, "token"), token);
  const start = ({ command, environment }: Container) => {
    const variables = Object.entries({ ...image, ...environment }).map(([name, value]) => [
      name,
      value
        .replace(/^(\/run\/secrets|\/data$)/, folder)
        .replace("0.0.0.0", "127.0.0.1")
        .replace(/^\d+$/, "0"),
    ]);
    return startCommand(command, {
      ...(Object.fromEntries(variables) as Record<string, string>),
      CLOUD_COMPUTE_PORT: "0",
    });
  };
  const migration = start(services.migration);
  expect([await migration.ended, migration.output()]).toEqual([0, expect.stringContaining("The store has schema")]);
  const urls = [start(services.service), start(services.service)].map(async ({ output }) => {
    await expect.poll(output).toContain('"ready":true');
    return /"url":"([^"]+\/v4)"/.exec(output())?.[1];
  });
  for (const baseUrl of await Promise.all(urls))
    expect(await statusOf(api.listTags(createClient({ baseUrl: baseUrl ?? "", token })))).toBe(200);
  expect(dockerfile).toContain("/app/node_modules/@cloud-compute/service/bin/cloud-compute.js");
});
