import { mkdir, readFile, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildApi, loadDescription, loadRequirements } from "@plumbline/kit/openapi";
import { buildFixtureApi } from "@plumbline/kit/openapi/testing";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  chromium,
  followLink,
  openPage,
  servePages,
  startBrowser,
  violationsOf,
  type ObservedPage,
  type PageServer,
} from "../support/chromium.js";
import { repository, unremovedFolder } from "../support/places.js";
import { siteDefaults, writeSite } from "../support/site.js";

let site: string;
let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  site = await unremovedFolder();
  const description = await loadDescription(path.join(repository, "spec", "openapi.yaml"));
  const requirements = await loadRequirements(path.join(repository, "spec", "requirements.yaml"), description.folder);
  const mockData = JSON.parse(await readFile(path.join(repository, "spec", "site", "mock-data.json"), "utf8"));
  await writeSite(site, buildApi(description, { names: {}, requirements }), {
    input: { previous: undefined, mockData },
  });
  server = await servePages(site, "/docs/v4/");
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(site, { recursive: true });
});

async function open(operation: string, options: Parameters<typeof openPage>[1] = {}): Promise<ObservedPage> {
  const observed = await openPage(browser, options);
  onTestFinished(() => observed.context.close());
  await observed.page.goto(`${server.url}operations/${operation}.html`);
  return observed;
}

/** Opens the console, which loads its script. */
async function openConsole(page: Page): Promise<Locator> {
  const panel = page.locator(".console");
  await panel.locator("> summary").click();
  await panel.locator(".send").waitFor();
  return panel;
}

/** Sends the request, and returns the status of its response. */
async function send(panel: Locator): Promise<string> {
  await panel.locator(".send").click();
  // The button is enabled again once there is a response, or a problem.
  await panel.locator(".send:not([disabled])").waitFor();
  return (await panel.locator(".outcome .status, .problem:not(:empty)").first().textContent()) ?? "";
}

const bodyOf = async (panel: Locator): Promise<string> =>
  (await panel.locator(".live .sample code").textContent()) ?? "";
const checkOf = async (panel: Locator): Promise<string> => (await panel.locator(".check").textContent()) ?? "";

describe.skipIf(chromium === undefined)("the console of an operation", () => {
  it("creates an instance on one page, which runs, is listed and is deleted on others", async () => {
    const { page, errors, requests } = await open("createInstance");
    const creation = await openConsole(page);
    await creation.getByLabel("label", { exact: true }).fill("web-7");
    expect(await send(creation)).toBe("200");
    expect(JSON.parse(await bodyOf(creation))).toMatchObject({ id: 1, label: "web-7", status: "provisioning" });
    expect(await checkOf(creation)).toMatch(/^As described/);

    await followLink(page.locator("nav").getByRole("link", { name: "List instances" }));
    const list = await openConsole(page);
    // The description's minutes pass in seconds.
    await expect
      .poll(async () => [await send(list), /"status": "(\w+)"/.exec(await bodyOf(list))?.[1]])
      .toEqual(["200", "running"]);

    await followLink(page.locator("nav").getByRole("link", { name: "Delete an instance" }));
    const deletion = await openConsole(page);
    await deletion.getByLabel("computeId").fill("1");
    expect(await send(deletion)).toBe("200");

    await followLink(page.locator("nav").getByRole("link", { name: "Get an instance" }));
    const read = await openConsole(page);
    await read.getByLabel("computeId").fill("1");
    await expect.poll(() => send(read)).toBe("404");
    expect(errors).toEqual([]);
    expect(requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
  });

  it("shows the documented error of an invalid request, and the request as code while it is entered", async () => {
    const { page } = await open("createInstance");
    const panel = await openConsole(page);
    await panel.getByLabel("label", { exact: true }).fill("x");
    const code = panel.locator(".request-code code");
    expect(await code.textContent()).toContain('"label": "x"');
    await panel.getByText("client", { exact: true }).click();
    expect(await code.textContent()).toMatch(/await createInstance\(client, \{[^]*label: "x"/);
    expect(await send(panel)).toBe("400");
    expect(JSON.parse(await bodyOf(panel))).toEqual({
      errors: [{ field: "label", reason: expect.stringContaining("3") }],
    });
    expect(await checkOf(panel)).toMatch(/^As described/);

    await panel.getByText("JSON", { exact: true }).click();
    await panel.locator("textarea.editor").fill("{");
    expect(await send(panel)).toBe("400");
    await panel.getByText("Form", { exact: true }).click();
    expect(await panel.locator("textarea.editor").inputValue()).toBe("{");
    await panel
      .locator("textarea.editor")
      .fill(
        '{"region": "us-east", "type": "g6-standard-2", "image": "compute/debian12", "root_pass": "aComplex-P4ssword"}',
      );
    await panel.getByText("Form", { exact: true }).click();
    expect(await panel.getByLabel("region").inputValue()).toBe("us-east");
    expect(await send(panel)).toBe("200");
  });

  it("requires only what a URL cannot be without", async () => {
    const { page } = await open("getInstance");
    const panel = await openConsole(page);
    await panel.getByLabel("computeId").fill("");
    expect(await send(panel)).toBe("Enter a value of computeId: it is a part of the URL.");
    await panel.getByLabel("computeId").fill("99");
    expect(await send(panel)).toBe("404");
  });

  it("returns to the initial state, and says at which pace the mock runs", async () => {
    const { page } = await open("createInstance");
    const panel = await openConsole(page);
    expect(await panel.locator(".mock-state").textContent()).toContain("60 times as fast");
    const created = async (): Promise<unknown> => {
      await send(panel);
      return (JSON.parse(await bodyOf(panel)) as { readonly id: unknown }).id;
    };
    expect([await created(), await created()]).toEqual([1, 2]);
    await panel.getByRole("button", { name: "Reset" }).click();
    expect(await created()).toBe(1);
  });

  it("works where nothing can be stored, as long as the page", async () => {
    const { page, errors, context } = await openPage(browser);
    onTestFinished(() => context.close());
    await context.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException("denied", "SecurityError");
          },
        });
    });
    await page.goto(`${server.url}operations/createInstance.html`);
    const panel = await openConsole(page);
    expect(await send(panel)).toBe("200");
    expect(JSON.parse(await bodyOf(panel))).toMatchObject({ id: 1 });
    expect(await send(panel)).toBe("200");
    expect(JSON.parse(await bodyOf(panel))).toMatchObject({ id: 2 });
    expect(await panel.locator(".mock-state").textContent()).toContain("as long as the page");
    expect(errors).toEqual([]);
  });

  it("works in a folder, and loads nothing before its first use", async () => {
    const { page, errors, requests } = await open("listTags");
    await page.goto(pathToFileURL(path.join(site, "operations", "createInstance.html")).href);
    const loaded = (): readonly (string | undefined)[] => requests.map((address) => address.split("/").at(-1));
    expect(loaded()).not.toEqual(expect.arrayContaining(["console.js"]));
    const panel = await openConsole(page);
    expect(await send(panel)).toBe("200");
    await followLink(page.locator("nav").getByRole("link", { name: "List instances" }));
    const list = await openConsole(page);
    expect(await send(list)).toBe("200");
    expect(await bodyOf(list)).toContain('"label": "web-1"');
    expect(loaded()).toEqual(expect.arrayContaining(["console.js", "mock.js"]));
    expect(requests.filter((address) => !/^(?:http:\/\/127\.0\.0\.1:|file:)/.test(address))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it("is hidden without JavaScript and on paper", async () => {
    const { page } = await open("createInstance", { javaScriptEnabled: false });
    expect(await page.locator(".console").isHidden()).toBe(true);
    const { page: printed } = await open("createInstance");
    expect(await printed.locator(".console").isVisible()).toBe(true);
    await printed.emulateMedia({ media: "print" });
    expect(await printed.locator(".console").isHidden()).toBe(true);
  });

  it("is operated with the keyboard alone", async () => {
    const { page } = await open("getInstance");
    await page.locator(".console > summary").focus();
    await page.keyboard.press("Enter");
    await page.locator(".console .send").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("console-send-to-mock");
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#console-address").isVisible()).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Reset");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("console-path-0");
    await page.keyboard.press("Enter"); // in an input, it sends the form
    await expect.poll(() => page.locator(".outcome .status").textContent()).toBe("404");
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)("has no violation of accessibility rules, %s, %i pixels", async (colorScheme, width) => {
    const { page } = await open("updateInstance", { colorScheme, viewport: { width, height: 900 } });
    const panel = await openConsole(page);
    expect(await send(panel)).toBe("404");
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    expect(await violationsOf(page)).toEqual([]);
    await panel.getByText("Server", { exact: true }).click();
    expect(await violationsOf(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it("has pictures for a person to look at, in test/reports/site", async () => {
    const reports = path.join(repository, "test", "reports", "site");
    await mkdir(reports, { recursive: true });
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 390],
    ] as const) {
      const { page } = await open("createInstance", { colorScheme, viewport: { width, height: 2600 } });
      const panel = await openConsole(page);
      expect(await send(panel)).toBe("200");
      const file = path.join(reports, `console-${colorScheme}-${width}.png`);
      expect((await panel.screenshot({ path: file })).length).toBeGreaterThan(20_000);
    }
  });
});

describe.skipIf(chromium === undefined)("the console and a server", () => {
  it("reports a response that is not as described, with the field and the rule", async () => {
    const api = await startServer(() => ({ status: 200, body: '{"id": "one", "label": "web-1"}' }));
    const { page } = await open("getInstance");
    const panel = await openConsole(page);
    await panel.getByText("Server", { exact: true }).click();
    await panel.getByLabel("Address").fill(api.url);
    expect(api.requests).toEqual([]);
    expect(await send(panel)).toMatch(/^200/);
    const check = await checkOf(panel);
    expect(check).toMatch(/^Not as described, in \d+ places:/);
    const issues = await panel.locator(".check li").allTextContents();
    expect(issues).toEqual(expect.arrayContaining([expect.stringMatching(/^id .*integer.* type$/)]));
    expect(issues).toEqual(expect.arrayContaining([expect.stringMatching(/^status is required required$/)]));

    const odd = await startServer(() => ({ status: 200, body: "<p>", type: "text/html" }));
    await panel.getByLabel("Address").fill(odd.url);
    await send(panel);
    expect(await checkOf(panel)).toContain("application/json");
    const moved = await startServer(() => ({ status: 302, body: "", location: "https://attacker.example/" }));
    await panel.getByLabel("Address").fill(moved.url);
    await send(panel);
    expect(await checkOf(panel)).toContain("redirect");
  });

  it("keeps a token nowhere, and sends it to the address only", async () => {
    const token = "secret-token-of-the-test";
    const api = await startServer(() => ({ status: 200, body: '{"data": [], "page": 1, "pages": 1, "results": 0}' }));
    const { page, context, requests, errors } = await open("listInstances");
    const messages: string[] = [];
    page.on("console", (message) => messages.push(message.text()));
    const sent: { readonly url: string; readonly headers: string; readonly body: string }[] = [];
    page.on("request", (request) =>
      sent.push({
        url: request.url(),
        headers: JSON.stringify(request.headers()),
        body: request.postData() ?? "",
      }),
    );
    const panel = await openConsole(page);
    await panel.getByText("Server", { exact: true }).click();
    await panel.getByLabel("Address").fill(`${api.url}/v4/`);
    await panel.getByLabel("Token").fill(token);
    expect(api.requests).toEqual([]);
    expect(await send(panel)).toMatch(/^200/);
    expect(api.requests.map(({ method, url, headers: { authorization } }) => [method, url, authorization])).toEqual([
      ["OPTIONS", "/v4/compute/instances", undefined],
      ["GET", "/v4/compute/instances", `Bearer ${token}`],
    ]);
    expect(await panel.locator(".request-code code").textContent()).toContain("Bearer $TOKEN");

    const inPage = await page.evaluate(() =>
      [
        ...Object.entries(localStorage).flat(),
        ...Object.entries(sessionStorage).flat(),
        document.cookie,
        location.href,
        document.documentElement.outerHTML,
        JSON.stringify(history.state),
      ].join("\n"),
    );
    expect(inPage).toContain("plumbline"); // there is something that could have it
    expect(inPage).not.toContain(token);
    expect(JSON.stringify(await context.cookies())).not.toContain(token);
    expect(messages.join("\n")).not.toContain(token);
    expect(
      sent
        .filter(({ url }) => !url.startsWith(api.url))
        .map((each) => JSON.stringify(each))
        .join("\n"),
    ).not.toContain(token);
    expect(requests.filter((address) => !address.startsWith(server.url) && !address.startsWith(api.url))).toEqual([]);

    await followLink(page.locator("nav").getByRole("link", { name: "Create an instance" }));
    expect(await page.evaluate(() => Object.values(sessionStorage).join("\n"))).not.toContain(token);
    await page.goBack();
    const panelAgain = page.locator(".console");
    if ((await panelAgain.locator(".send").count()) === 0) await openConsole(page);
    await panelAgain.getByText("Server", { exact: true }).click();
    expect(await panelAgain.getByLabel("Token").inputValue()).toBe("");
    expect(errors).toEqual([]);
  });

  it("forgets the token when the mock is chosen", async () => {
    const { page } = await open("listInstances");
    const panel = await openConsole(page);
    await panel.getByText("Server", { exact: true }).click();
    await panel.getByLabel("Token").fill("secret");
    await panel.getByText("Mock in this page").click();
    expect(await send(panel)).toBe("200");
    await panel.getByText("Server", { exact: true }).click();
    expect(await panel.getByLabel("Token").inputValue()).toBe("");
  });

  it("cannot be reached without HTTPS, but on this machine", async () => {
    const { page, context } = await open("listInstances");
    const left: string[] = [];
    await context.route(/attacker\.example/, async (route) => {
      left.push(route.request().url());
      await route.fulfill({ status: 200, headers: { "Access-Control-Allow-Origin": "*" }, body: "{}" });
    });
    const panel = await openConsole(page);
    await panel.getByText("Server", { exact: true }).click();
    await panel.getByLabel("Address").fill("http://attacker.example");
    expect(await send(panel)).toMatch(/^No response\./);
    expect(left).toEqual([]);
    await panel.getByLabel("Address").fill("https://attacker.example");
    expect(await send(panel)).toMatch(/^200/);
    // Pages without a console connect to nothing.
    await page.goto(`${server.url}limits.html`);
    const outcome = await page.evaluate(() =>
      fetch("https://attacker.example/a").catch((error: unknown) => String(error)),
    );
    expect(outcome).toMatch(/^TypeError/);
    expect(left).toHaveLength(1);
  });
});

describe.skipIf(chromium === undefined)("the console of another description", () => {
  it("sends each kind of parameter, a file, and a key", async () => {
    const page = await openSite(await writeFixture({}), "setPhoto");
    const panel = await openConsole(page);
    await panel.getByLabel("petId").fill("7");
    await panel.getByLabel("tags").fill('["a", "b c"]');
    await panel.getByLabel("size").selectOption("large");
    await panel.getByLabel("isPublic").selectOption("true");
    await panel.getByLabel("X-Note").fill("é");
    await panel.getByLabel("session").fill("s1");
    await panel.getByLabel("title").fill("Rex");
    await panel
      .getByLabel("photo")
      .setInputFiles({ name: "rex.png", mimeType: "image/png", buffer: Buffer.from("png") });
    // The mock gets cookies, which pages cannot send to other servers.
    expect(await send(panel)).toBe("204");

    const bodies: Promise<string>[] = [];
    const api = await startServer((request) => {
      if (request.method === "PUT") bodies.push(readText(request));
      return { status: 204, body: "" };
    });
    await panel.getByText("Server", { exact: true }).click();
    await panel.getByLabel("Address").fill(api.url);
    await panel.getByLabel("API key").fill("k1");
    expect(await send(panel)).toMatch(/^204/);
    const { url, headers } = api.requests.at(-1) ?? { url: "", headers: {} };
    expect(url).toBe("/pets/7/photo?tags=a&tags=b%20c&size=large&isPublic=true");
    expect(headers).toMatchObject({
      "x-key": "k1",
      "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/),
    });
    expect(headers["cookie"]).toBeUndefined();
    const [body = ""] = await Promise.all(bodies);
    expect(body).toMatch(/name="title"\r\n\r\nRex\r\n/);
    expect(body).toMatch(/name="photo"; filename="rex.png"\r\nContent-Type: image\/png\r\n\r\npng\r\n/);
    expect(await checkOf(panel)).toMatch(/^As described/);
  });

  it("sends requests to servers only, where the description is too large for a mock", async () => {
    const page = await openSite(await writeFixture({ maxMockedOperations: 0 }), "setPhoto");
    const panel = await openConsole(page);
    expect(await panel.getByText("Mock in this page").count()).toBe(0);
    const api = await startServer(() => ({ status: 500, body: "" }));
    await panel.getByLabel("Address").fill(api.url);
    expect(await send(panel)).toMatch(/^500/);
    expect(await checkOf(panel)).toContain("status 500 is not documented");
  });
});

const photos = `openapi: 3.1.0
info: {title: Pets, version: '1'}
servers: [{url: https://pets.example}]
security: [{key: []}]
paths:
  /pets/{petId}/photo:
    put:
      operationId: setPhoto
      parameters:
        - {name: petId, in: path, required: true, schema: {type: integer}}
        - {name: tags, in: query, schema: {type: array, items: {type: string}}}
        - {name: size, in: query, schema: {enum: [small, large]}}
        - {name: isPublic, in: query, schema: {type: boolean}}
        - {name: X-Note, in: header, schema: {type: string}}
        - {name: session, in: cookie, required: true, schema: {type: string}}
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo]
              properties: {title: {type: string}, photo: {type: string, format: binary}}
      responses: {'204': {description: Stored.}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}
`;

/** Writes the site of a small description. */
async function writeFixture(config: Partial<typeof siteDefaults>): Promise<string> {
  const folder = await unremovedFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeSite(folder, await buildFixtureApi(photos), { config: { ...siteDefaults, ...config } });
  return folder;
}

async function openSite(folder: string, operation: string): Promise<Page> {
  const { page, context } = await openPage(browser);
  onTestFinished(() => context.close());
  await page.goto(pathToFileURL(path.join(folder, "operations", `${operation}.html`)).href);
  return page;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}

interface ApiServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
}

interface ReceivedRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** Starts a server that allows requests from other pages, and responds as the test says. */
async function startServer(
  respond: (request: IncomingMessage) => {
    readonly status: number;
    readonly body: string;
    readonly type?: string;
    readonly location?: string;
  },
): Promise<ApiServer> {
  const requests: ReceivedRequest[] = [];
  const listening = createServer((request, response) => {
    const { method, url, headers } = request;
    requests.push({ method, url, headers });
    const allowed = {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": "*",
      "Access-Control-Allow-Headers": "authorization, content-type, x-key, x-note",
    };
    const { status, body, type = "application/json", location } = respond(request);
    if (method === "OPTIONS") response.writeHead(204, allowed).end();
    else
      response
        .writeHead(status, {
          ...allowed,
          "Content-Type": type,
          ...(location === undefined ? {} : { Location: location }),
        })
        .end(body);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, requests };
}
