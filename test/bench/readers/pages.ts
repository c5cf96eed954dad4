import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";

/** A tool that shows a description in a page. */
export interface PageReader {
  readonly name: string;
  /** Its script, in the folder of the peers. */
  readonly script: string;
  /** The body of the page, which loads the script and shows the description of this address. */
  readonly body: (script: string, description: string) => string;
}

/** The tools that show a description in a page. */
export const pageReaders: readonly PageReader[] = [
  {
    name: "Redoc",
    script: "redoc/bundles/redoc.standalone.js",
    body: (script, description) => `<redoc spec-url="${description}"></redoc><script src="${script}"></script>`,
  },
  {
    name: "Scalar",
    script: "@scalar/api-reference/dist/browser/standalone.js",
    body: (script, description) =>
      `<div id="app"></div><script src="${script}"></script>` +
      `<script>Scalar.createApiReference("#app", { url: "${description}", withDefaultFonts: false, telemetry: false })</script>`,
  },
  {
    name: "Swagger UI",
    script: "swagger-ui-dist/swagger-ui-bundle.js",
    body: (script, description) =>
      `<div id="app"></div><script src="${script}"></script>` +
      `<script>SwaggerUIBundle({ url: "${description}", dom_id: "#app", docExpansion: "list" })</script>`,
  },
];

/** Pages that show the descriptions of a folder. */
export interface Pages {
  /** Returns what the tool complains about: errors of its script, of the console and in the page. */
  readonly read: (reader: PageReader, description: string) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** A summary that a page shows where it has read the description. */
const shown = "Create an instance";

/** Starts Chromium, and a server of the pages on loopback. Nothing else can be reached from them. */
export async function openPages(descriptions: string, peers: string): Promise<Pages> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const reader = pageReaders.find(({ name }) => name === searchParams.get("reader"));
    if (pathname === "/" && reader !== undefined) {
      const body = reader.body(`/peers/${reader.script}`, `/descriptions/${searchParams.get("description") ?? ""}`);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><title>${reader.name}</title><link rel="icon" href="data:,"><body>${body}</body>`);
      return;
    }
    const [, kind = "", ...rest] = pathname.split("/");
    const folder = { peers, descriptions }[kind];
    const file = folder === undefined ? undefined : path.join(folder, ...rest);
    if (file === undefined || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": file.endsWith(".js") ? "text/javascript" : "text/plain" });
    createReadStream(file).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const browser = await launch();
  return {
    read: (reader, description) => {
      const query = new URLSearchParams({ reader: reader.name, description });
      return complaintsOf(browser, `http://127.0.0.1:${port}/?${query.toString()}`);
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function launch(): Promise<Browser> {
  const found = (process.env["PATH"] ?? "")
    .split(":")
    .map((folder) => path.join(folder, "chromium"))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error("Chromium is not installed.");
  const args = ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
  return chromium.launch({ executablePath: found, args });
}

async function complaintsOf(browser: Browser, address: string): Promise<readonly string[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    // The tools look for fonts and news elsewhere, where nothing is reachable.
    if (message.type() === "error" && !message.text().includes("ERR_NAME_NOT_RESOLVED"))
      complaints.push(message.text());
  });
  await page.goto(address);
  const text = page.getByText(shown, { exact: false }).first();
  await text
    .waitFor({ state: "attached", timeout: 20_000 })
    .catch(() => complaints.push(`it does not show "${shown}"`));
  const errors = await page.locator(".errors-wrapper .message, .loading-error").allTextContents();
  await page.close();
  return [...complaints, ...errors];
}
