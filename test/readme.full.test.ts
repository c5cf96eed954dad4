import { writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { checkTypes, examplesOf, projectOf } from "./support/examples.js";
import { place } from "./support/pets.js";
import { repository } from "./support/places.js";
import { runNode } from "./support/run.js";
import { startService } from "./support/service.js";
import { readTracked } from "./support/tracked.js";

describe("the README of the client", () => {
  const examples = examplesOf(readTracked("packages/client/README.md"));

  it("has working examples with the reference service", async () => {
    const { url, token } = await startService(["--port", "0", "--data", ":memory:", "--pace", "20"]);
    const project = await projectOf(examples);
    const env = { CLOUD_COMPUTE_TOKEN: token, CLOUD_COMPUTE_URL: url };
    const use = `
import { createClient, createInstance, deleteInstance, uploadImage, waitForImage } from "@cloud-compute/client";
import { settled } from "./example-7.js";
import { send } from "./example-8.js";
const client = createClient({ token: ${JSON.stringify(token)}, baseUrl: ${JSON.stringify(url)} });
const { id } = await createInstance(client, { body: { region: "us-east", type: "g6-standard-1", label: "waited-for" } });
console.log(await settled(client, id), "and", await settled(client, id + 1));
const { image, upload_to } = await uploadImage(client, { body: { label: "mine", region: "us-east" } });
await send(client, upload_to, "data.gz");
console.log((await waitForImage(client, image.id, "available")).label);
`;
    await place(project, { "use.js": use });
    await writeFile(path.join(project, "data.gz"), gzipSync("data"));
    const { out, ...rest } = await runNode(["use.js"], { in: project, env });
    expect(rest).toEqual({ code: 0, error: "" });
    expect(out).toBe("settled and gone, last seen undefined\n24 of 24\nmine\n");
    const listed = await runNode(["example-6.js"], { in: project, env });
    expect(listed.out).toMatch(/label: 'waited-for'[^]*\n1\n$/);
    const bounded = await runNode(["example-9.js"], { in: project, env });
    expect(bounded.out).toContain("results: 1");
  });
});

describe("the README of the service", () => {
  const page = readTracked("packages/service/README.md");
  const examples = examplesOf(page);

  it("has a working example with the described service", async () => {
    const project = await projectOf(examples);
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const [, name = "", options = ""] = /^npx (\S+) serve (.+)$/m.exec(page) ?? [];
    // npx runs the only command of a package, with any name.
    const manifest = JSON.parse(readTracked("packages/service/package.json")) as {
      readonly name: string;
      readonly bin: object;
    };
    expect([manifest.name, Object.keys(manifest.bin)]).toEqual([name, ["cloud-compute"]]);
    // Any port will do, where the page names one.
    const args = options.replaceAll(/-port \d+/g, "-port 0").split(" ");
    const { url, token, controls } = await startService(args);
    const env = { CLOUD_COMPUTE_TOKEN: token, CLOUD_COMPUTE_URL: url, CLOUD_COMPUTE_CONTROLS: controls ?? "" };
    expect(await runNode(["example-1.js"], { in: project, env })).toEqual({
      code: 0,
      out: "provisioning\nrunning\n",
      error: "",
    });
    expect(await runNode(["example-2.js"], { in: project, env })).toEqual({ code: 0, out: "", error: "" });
  });
});

describe("the README of the conformance runtime", () => {
  const [library = ""] = examplesOf(readTracked("packages/conformance-runtime/README.md"));

  it("has a working example", async () => {
    const data = pathToFileURL(path.join(repository, "packages", "conformance", "data", path.sep));
    // Any suite will do: of this one, the cases that check only the rejection of unauthenticated requests.
    const suite = `import { readSuite } from "@plumbline/conformance-runtime";
const whole = readSuite(new URL("${data.href}"));
const cases = whole.cases.filter(({ id }) => id === "regions/listRegions/accepts" || id.startsWith("domains/listDomains/security/anonymous"));
export const suite = { ...whole, cases };
`;
    const service = await startService(["--port", "0", "--data", ":memory:"]);
    const own = library
      .replace("http://127.0.0.1:8080/v1", service.url)
      .replace('"TOKEN"', JSON.stringify(service.token));
    const project = await projectOf([own]);
    await place(project, { "suite.ts": suite, "suite.js": suite });
    expect(await checkTypes(project)).toEqual({ code: 0, out: "", error: "" });
    const { code, out, error } = await runNode(["example-1.js"], { in: project });
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toMatch(/^true <\?xml [^]*<testcase /);
  });
});

describe("the README of the tests", () => {
  it("has a working first example", async () => {
    const [, command = ""] = /^```sh\n(.*)\n```$/m.exec(readTracked("test/README.md")) ?? [];
    expect(command).toBe("npx vitest run layout");
    const vitest = path.join(repository, "node_modules", "vitest", "vitest.mjs");
    const args = [vitest, ...command.split(" ").slice(2), "--reporter=default"];
    const { out } = await runNode(args, { in: path.join(repository, "test"), env: { NO_COLOR: "1" } });
    expect(out).toMatch(/layout\.test\.ts[^]*\n +Test Files .*\(1\)\n/); // its own result does not matter here
  });
});
