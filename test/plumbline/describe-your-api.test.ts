import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { isJsonObject } from "@plumbline/kit/model";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { runForeignSuite } from "../mock/foreign-suites.js";
import { startMockHere } from "../support/mock-process.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

/** A step of the page: what it changes, and the requests that show it. */
interface PageStep {
  readonly title: string;
  readonly patch: unknown;
  readonly requests: readonly string[];
}

const page = await readFile(path.join(repository, "packages/plumbline/docs/describe-your-api.md"), "utf8");
const steps = page
  .split(/^## /m)
  .slice(1)
  .map((section): PageStep => {
    const [, patch = ""] = /^```yaml\n([^]*?)^```$/m.exec(section) ?? [];
    const [, requests = ""] = /^```text\n([^]*?)^```$/m.exec(section) ?? [];
    return { title: section.split("\n")[0] ?? "", patch: parse(patch), requests: requests.split("\n").filter(Boolean) };
  });

const descriptions: string[] = [];
let description: unknown = {};
for (const { patch } of steps) {
  if (patch !== null) description = mergePatch(description, patch);
  descriptions.push(stringify(description, { aliasDuplicateObjects: false }));
}

test("the page has eight steps, of which seven show requests", () => {
  expect(steps.map(({ patch, requests }) => [patch !== null, requests.length > 0])).toEqual([
    ...Array.from({ length: 7 }, () => [true, true]),
    [false, false],
  ]);
});

const described = steps.map((step, index) => ({ ...step, text: descriptions[index] ?? "" }));

test.each(described)("$title: the strict ruleset accepts the description", async ({ text }) => {
  const folder = await placed(text);
  const { code, out, error } = await plumbline(["lint", "plumbline.yaml"], { in: folder });
  expect([code, out, error]).toEqual([0, "No problems in desk.yaml.\n", ""]);
});

test.each(described.filter(({ requests }) => requests.length > 0))(
  "$title: the mock responds as the page shows",
  async ({ text, requests }) => {
    const mock = await startMockHere(await placed(text), ["desk.yaml", "--controls", "--pace", "0"]);
    try {
      const desk = new Desk(mock.url);
      if (text.includes("x-scopes")) await desk.addUsers();
      for (const line of requests) expect(await desk.send(line)).toBe(line);
    } finally {
      await mock.end();
    }
  },
);

test("the suite of the last description passes on its mock, and has cases of everything that the page adds", async () => {
  const folder = await placed(descriptions.at(-1) ?? "");
  const outcome = await runForeignSuite("desk", path.join(folder, "desk.yaml"), folder);
  expect(outcome?.others).toEqual([]);
  expect(outcome?.passed).toBeGreaterThan(50);
});

async function placed(text: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "desk.yaml"), text);
  await writeFile(path.join(folder, "plumbline.yaml"), "ruleset: strict\ndescriptions: [{description: desk.yaml}]\n");
  return folder;
}

/** Sends the requests of a page to a mock. */
class Desk {
  readonly #url: string;
  readonly #controls: string;
  #tokens: Readonly<Record<"own" | "other", string>> | undefined;

  constructor(url: string) {
    this.#url = url;
    this.#controls = new URL("/_mock", url).href;
  }

  async addUsers(): Promise<void> {
    const add = async (username: string): Promise<string> => {
      await this.#control("POST", "/users", { username, account: `house of ${username}` });
      const { token } = await this.#control("POST", `/users/${username}/tokens`, {});
      return String(token);
    };
    this.#tokens = { own: await add("tenant"), other: await add("neighbour") };
  }

  /** Returns the line as the response has it. */
  async send(line: string): Promise<string> {
    const after = /^after (\S+)$/.exec(line);
    if (after !== null) {
      await this.#control("POST", "/clock", { advance: after[1] });
      return line;
    }
    const [, request = "", status = "", shown = ""] = /^(.*?) +(\d{3})(?: (.*))?$/.exec(line) ?? [];
    const [, method = "", target = "", rest = ""] = /^(\S+) (\S+) ?(.*)$/.exec(request) ?? [];
    const isOther = rest === "with the token of another account";
    const isAnonymous = rest === "without a token";
    const token = isOther ? this.#tokens?.other : isAnonymous ? undefined : this.#tokens?.own;
    const body =
      isOther || isAnonymous || rest === "" ? {} : { body: rest, headers: { "Content-Type": "application/json" } };
    const response = await fetch(`${this.#url}${target}`, {
      method,
      ...body,
      headers: { ...body.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) },
    });
    const text = await response.text();
    const header = /^([\w-]+): /.exec(shown);
    const received =
      shown === ""
        ? ""
        : header === null
          ? ` ${matches(JSON.parse(text), JSON.parse(shown)) ? shown : text}`
          : ` ${header[1] ?? ""}: ${response.headers.get(header[1] ?? "") ?? ""}`;
    return (
      line.slice(0, line.length - `${status}${shown === "" ? "" : ` ${shown}`}`.length) +
      `${response.status}${received}`
    );
  }

  async #control(method: string, target: string, body: object): Promise<Readonly<Record<string, unknown>>> {
    const response = await fetch(`${this.#controls}${target}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.ok).toBe(true);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  }
}

/** Whether a value has all that another one shows. */
function matches(value: unknown, shown: unknown): boolean {
  if (Array.isArray(shown)) return Array.isArray(value) && shown.every((each, index) => matches(value[index], each));
  if (!isJsonObject(shown)) return value === shown;
  return isJsonObject(value) && Object.entries(shown).every(([key, each]) => matches(value[key], each));
}

/** RFC 7396. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isJsonObject(target) ? target : {}) };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}
