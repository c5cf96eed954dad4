import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { repository, temporaryFolder } from "../support/places.js";

const chromium = (process.env["PATH"] ?? "")
  .split(":")
  .map((folder) => path.join(folder, "chromium"))
  .find((file) => existsSync(file));

describe.skipIf(chromium === undefined)("the mock in Chromium", () => {
  it("answers the generated client through a service worker", async () => {
    const bundled = await build({
      entryPoints: [path.join(repository, "test", "mock", "example-app", "page.ts")],
      bundle: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      write: false,
    });
    const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
      "/": ["text/html", '<!doctype html><title>Deployments</title><script type="module" src="/page.js"></script>'],
      "/page.js": ["text/javascript", bundled.outputFiles[0]?.text ?? ""],
      "/mockServiceWorker.js": ["text/javascript", await readFile(workerFile, "utf8")],
    };
    let resolve: (report: unknown) => void = () => undefined;
    const reported = new Promise((settle) => (resolve = settle));
    const server = createServer((request, response) => {
      if (request.url === "/report") void readBody(request).then((text) => resolve(JSON.parse(text)));
      const [type, text] = files[request.url ?? ""] ?? ["text/plain", ""];
      response.writeHead(200, { "Content-Type": type }).end(text);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    await openPage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await reported).toEqual(["2 web-2: running"]);
  });
});

const workerFile = path.join(repository, "node_modules", "msw", "lib", "mockServiceWorker.js");

async function openPage(address: string): Promise<void> {
  const profile = await temporaryFolder();
  // As root, as in a container, Chromium has no sandbox. Nothing but this machine is reachable.
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
  ];
  const browser: ChildProcess = spawn(
    chromium ?? "",
    [...options, `--user-data-dir=${profile}`, "--remote-debugging-port=0", address],
    {
      stdio: "ignore",
    },
  );
  onTestFinished(async () => {
    const ended = new Promise((resolve) => browser.once("exit", resolve));
    browser.kill();
    await ended;
  });
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
