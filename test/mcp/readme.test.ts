import path from "node:path";
import { describe, expect, it } from "vitest";
import { examplesOf, projectOf } from "../support/examples.js";
import { serveMcp, startMcp } from "../support/mcp.js";
import { repository } from "../support/places.js";
import { startServiceInProcess } from "../support/service-in-process.js";
import { readTracked } from "../support/tracked.js";

interface Configuration {
  readonly mcpServers: Readonly<
    Record<string, { readonly command: string; readonly args: readonly string[]; readonly env: Record<string, string> }>
  >;
}

describe("the README of the MCP server", () => {
  const readme = readTracked("packages/mcp/README.md");

  it("has a configuration for clients that works", async () => {
    const [, json = ""] = /```json\n([^]*?)```/.exec(readme) ?? [];
    const { mcpServers } = JSON.parse(json) as Configuration;
    const { command, args, env } = mcpServers["cloud-compute-mcp"] ?? { command: "", args: [], env: {} };
    expect([command, ...args.slice(0, 2)]).toEqual(["npx", "-y", "@cloud-compute/mcp"]);
    const { url, token } = await startServiceInProcess([]);
    const own = args.slice(2).map((each) => each.replace("https://api.cloud-compute.example/v4", url));
    expect(Object.keys(env)).toEqual(["CLOUD_COMPUTE_TOKEN"]);
    const { call } = await serveMcp(own, { env: { CLOUD_COMPUTE_TOKEN: token } });
    expect((await call("listInstances")).data).toMatchObject({ results: 0 });
  });

  it.each([
    ["packages/mcp", "createInstance"],
    ["packages/mcp-runtime", "createTag"],
  ])("%s has a program that works", async (folder, allowed) => {
    const project = await projectOf(examplesOf(readTracked(`${folder}/README.md`)));
    const { url, token } = await startServiceInProcess([]);
    const { names } = await startMcp([], {
      program: path.join(project, "example-1.js"),
      env: { CLOUD_COMPUTE_URL: url, CLOUD_COMPUTE_TOKEN: token },
    });
    expect(await names()).toContain(allowed);
  });
});

it("the page of MCP servers names fields of the vocabulary that exist", () => {
  const page = readTracked("packages/plumbline/docs/mcp.md");
  for (const [, link = ""] of page.matchAll(/\]\(([^)]+\.md)\)/g))
    expect(readTracked(path.relative(repository, path.join(repository, "packages/plumbline/docs", link)))).not.toBe("");
});
