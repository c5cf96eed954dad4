import { once } from "node:events";
import { createReadStream, existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import path from "node:path";
import {
  chromium as driver,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "playwright-core";

/** Chromium, if it is installed. */
export const chromium: string | undefined = (process.env["PATH"] ?? "")
  .split(":")
  .map((folder) => path.join(folder, "chromium"))
  .find((file) => existsSync(file));

/** Starts Chromium without a window. As root, as in a container, it has no sandbox. */
export async function startBrowser(): Promise<Browser> {
  const args = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];
  return driver.launch({ ...(chromium === undefined ? {} : { executablePath: chromium }), args });
}

/** A page, and what happened in it. */
export interface ObservedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The addresses of all requests, also of those that a policy blocked. */
  readonly requests: readonly string[];
  /** Errors of scripts, and what the console reports as errors. */
  readonly errors: readonly string[];
}

/** Opens an empty page, and records its requests and errors. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<ObservedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, ...options });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  context.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return { page, context, requests, errors };
}

/** Clicks on a link, and waits until its page is there: a click does not wait. */
export async function followLink(link: Locator): Promise<void> {
  const page = link.page();
  const before = page.url();
  await link.click();
  await page.waitForURL((address) => address.href !== before);
}

let axe: Promise<string> | undefined;

/** Runs axe-core in a page. Its policy does not apply to what the driver evaluates. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(await axe);
  return page.evaluate(async () => {
    const { axe: runner } = globalThis as unknown as {
      readonly axe: {
        readonly run: () => Promise<{
          readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
        }>;
      };
    };
    const { violations } = await runner.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.length} ${nodes[0]?.html.slice(0, 200)}`);
  });
}

export interface PageServer {
  /** The address of the folder, which ends in a slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
};

/** Serves the files of a folder below a path. */
export async function servePages(folder: string, below: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const file = path.join(folder, path.normalize(decodeURIComponent(pathname.slice(below.length))));
    if (
      !pathname.startsWith(below) ||
      !file.startsWith(folder) ||
      statSync(file, { throwIfNoEntry: false })?.isFile() !== true
    ) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": mediaTypes[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${below}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
