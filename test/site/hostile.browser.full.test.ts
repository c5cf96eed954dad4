import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { buildApi, loadDescription, loadRequirements } from "@plumbline/kit/openapi";
import { withFixtureFolder } from "@plumbline/kit/openapi/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { chromium, openPage, startBrowser } from "../support/chromium.js";
import { makeHostile, payload } from "../support/hostile-model.js";
import { repository, unremovedFolder } from "../support/places.js";
import { readPages } from "../support/site-links.js";
import { builtInFiles, siteDefaults, writeSite } from "../support/site.js";

let folder: string;
let browser: Browser;

beforeAll(async () => {
  folder = await unremovedFolder();
  const description = await loadDescription(path.join(repository, "spec", "openapi.yaml"));
  const requirements = await loadRequirements(path.join(repository, "spec", "requirements.yaml"), description.folder);
  const api = buildApi(description, { names: {}, requirements });
  const hostile = makeHostile(api);
  const suite = {
    cases: hostile.requirements.map(({ id }, index) => ({ id: `${index}${payload}`, requirements: [id] })),
    untested: { [hostile.requirements[0]?.id ?? ""]: payload },
  };
  await writeSite(folder, hostile, {
    config: { ...siteDefaults, client: `@example/client${payload}` },
    input: { previous: api, mockData: {} },
    artifacts: { conformance: suite },
    // That of the other description: the generators reject this one's names.
    generateFiles: builtInFiles(api),
  });
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

interface Attack {
  readonly name: string;
  /** What happened: a script that ran, a request, a handler, or the address of a link. */
  readonly happened: readonly unknown[];
}

/** Opens pages of a folder, does something in each, and reports those in which the payload had an effect. */
async function findAttacks(
  from: string,
  names: readonly string[],
  act: (page: Page) => Promise<unknown> = async () => undefined,
): Promise<readonly Attack[]> {
  const { page, context, requests } = await openPage(browser);
  onTestFinished(() => context.close());
  // Chromium also reports requests that a policy blocked: those that leave it arrive here.
  const left: string[] = [];
  await context.route(/^https?:/, async (route) => {
    left.push(`left: ${route.request().url()}`);
    await route.abort();
  });
  const attacks: Attack[] = [];
  for (const name of names) {
    const before = requests.length;
    left.length = 0;
    await page.goto(`file://${path.join(from, name)}`, { waitUntil: "load" });
    await act(page);
    const inPage: readonly unknown[] = await page.evaluate(() => {
      const elements = [...document.querySelectorAll("*")];
      const { attacked } = globalThis as { readonly attacked?: number };
      const isOurs = (script: HTMLScriptElement): boolean =>
        /^file:.*\/assets\/(?:site|console|mock)\.js$/.test(script.src) || script.type === "application/json";
      return [
        ...(attacked === undefined ? [] : [`script ${attacked}`]),
        ...elements.flatMap((each) => each.getAttributeNames().filter((attribute) => /^on|^style$/.test(attribute))),
        ...[...document.scripts].filter((each) => !isOurs(each)).map((each) => each.outerHTML.slice(0, 80)),
        ...[...document.links]
          .map(({ protocol }) => protocol)
          .filter((each) => !/^(?:file|https?|mailto):$/.test(each)),
        ...elements
          .map(({ localName }) => localName)
          .filter((each) => /^(?:img|iframe|object|embed|base|form)$/.test(each)),
      ].filter((each) => each !== "form"); // the search has one
    });
    const sent = requests.slice(before).filter((address) => !address.startsWith(`file://${from}/`));
    if (inPage.length + sent.length > 0) attacks.push({ name, happened: [...inPage, ...sent, ...left] });
  }
  return attacks;
}

describe.skipIf(chromium === undefined)("a site of a hostile description", () => {
  it("runs no script, sends no request and has no link but of the web and mail, on any page", async () => {
    const names = [...readPages(folder).keys()];
    expect(names.length).toBeGreaterThan(300);
    expect(names).toContain("changes.html");
    expect(await findAttacks(folder, names)).toEqual([]);
  });

  it("runs no script in the console of any tenth operation, with the texts of schemas and examples in its form", async () => {
    const operations = [...readPages(folder).keys()].filter((name) => /^operations\/(?!index)/.test(name));
    const some = operations.filter((_, index) => index % 10 === 0);
    expect(some.length).toBeGreaterThan(8);
    expect(await findAttacks(folder, some, sendAnything)).toEqual([]);
  });

  it("runs no script of the bodies that the mock returns", async () => {
    const place = await unremovedFolder();
    onTestFinished(() => rm(place, { recursive: true }));
    await withFixtureFolder(hostileDescription, async (texts) => {
      const api = buildApi(await loadDescription(path.join(texts, "openapi.yaml")), {
        names: {},
        requirements: undefined,
      });
      await writeSite(place, api);
    });
    const shown: (string | null)[] = [];
    const names = ["operations/createPet.html", "operations/readPage.html"];
    const attacks = await findAttacks(place, names, async (page) => {
      await sendAnything(page);
      shown.push(await page.locator(".live").textContent());
    });
    expect(attacks).toEqual([]);
    expect(shown).toHaveLength(2);
    for (const text of shown) expect(text).toContain("200");
    for (const text of shown) expect(text).toContain("<script>globalThis.attacked=1</script>");
  });

  it("searches for hostile words", async () => {
    const { page, context, requests } = await openPage(browser);
    onTestFinished(() => context.close());
    await page.goto(`file://${path.join(folder, "index.html")}`);
    await page.locator("#search").fill("attacked create");
    await page.locator(".results a").first().waitFor();
    expect(await page.locator(".results img, .results script").count()).toBe(0);
    await page.locator("#search").fill(`<img src=x onerror=globalThis.attacked=1>`);
    await page.locator(".results p, .results a").first().waitFor();
    expect(await page.evaluate(() => (globalThis as { readonly attacked?: number }).attacked)).toBeUndefined();
    expect(requests.filter((address) => !address.startsWith(`file://${folder}/`))).toEqual([]);
  });

  it("would be found: the same text in a page that does not escape it", async () => {
    const canary = await unremovedFolder();
    onTestFinished(() => rm(canary, { recursive: true }));
    await writeFile(
      path.join(canary, "canary.html"),
      `<!doctype html><title>a</title><p>${payload}</p><a href="javascript:1">a</a>`,
    );
    const [attack] = await findAttacks(canary, ["canary.html"]);
    expect(attack?.happened).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^script \d$/),
        "onerror",
        "onload",
        "javascript:",
        "img",
        "left: https://attacker.example/a",
      ]),
    );
  });

  it("would be stopped by its policy, even where a page did not escape a text", async () => {
    const canary = await unremovedFolder();
    onTestFinished(() => rm(canary, { recursive: true }));
    const [policy = ""] =
      /<meta http-equiv="Content-Security-Policy"[^>]*>/.exec(readPages(folder).get("index.html") ?? "") ?? [];
    await writeFile(path.join(canary, "canary.html"), `<!doctype html>${policy}<title>a</title><p>${payload}</p>`);
    const [attack] = await findAttacks(canary, ["canary.html"]);
    expect(attack?.happened).toContain("onerror");
    expect(attack?.happened.filter((each) => /^(?:script \d|left:)/.test(String(each)))).toEqual([]);
  });
});

/** Opens the console of a page, and sends what it suggests. */
async function sendAnything(page: Page): Promise<void> {
  await page.locator(".console > summary").click();
  await page.locator(".send").click();
  await page.locator(".outcome, .problem:not(:empty)").first().waitFor();
}

/** A valid description whose names, texts, values and examples contain the payload. */
const hostileDescription = JSON.stringify({
  openapi: "3.1.0",
  info: { title: payload, version: "1" },
  servers: [{ url: "https://pets.example" }],
  paths: {
    "/pets": {
      post: {
        operationId: "createPet",
        summary: payload,
        tags: [payload],
        parameters: [{ name: payload, in: "query", description: payload, schema: { enum: [payload, "a"] } }],
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: [payload],
                properties: {
                  [payload]: { type: "string", description: payload, default: payload },
                  other: { type: "object", properties: { [payload]: { type: "integer" } } },
                },
              },
              example: { [payload]: payload },
            },
          },
        },
        responses: {
          200: {
            description: payload,
            content: { "application/json": { schema: { type: "object" }, example: { [payload]: payload } } },
          },
        },
      },
    },
    "/page": {
      get: {
        operationId: "readPage",
        responses: {
          200: { description: "A page.", content: { "text/html": { schema: { type: "string" }, example: payload } } },
        },
      },
    },
  },
});
