import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  chromium,
  followLink,
  openPage,
  servePages,
  startBrowser,
  type ObservedPage,
  violationsOf,
  type PageServer,
} from "../support/chromium.js";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";
import { compressedSize, findDeadLinks, findRepeatedIds, readPages } from "../support/site-links.js";

let folder: string;
let site: string;
let browser: Browser;
let server: PageServer;

beforeAll(async () => {
  folder = await unremovedFolder();
  const spec = path.join(repository, "spec", "site", "plumbline.yaml");
  const made = await plumbline(["generate", "--spec", spec, "--only", "site", "--out", folder], { in: repository });
  expect(made).toMatchObject({ code: 0 });
  site = path.join(folder, "site");
  server = await servePages(site, "/docs/v4/");
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await rm(folder, { recursive: true });
});

async function open(address: string, options: Parameters<typeof openPage>[1] = {}): Promise<ObservedPage> {
  const observed = await openPage(browser, options);
  onTestFinished(() => observed.context.close());
  await observed.page.goto(`${server.url}${address}`);
  return observed;
}

describe("the files of the site of Cloud Compute", () => {
  it("have no link that leads nowhere, and no id twice", () => {
    const pages = readPages(site);
    expect(pages.size).toBeGreaterThan(300);
    const assets = ["site.css", "site.js", "icon.svg"].map((name) => `assets/${name}`);
    expect(findDeadLinks(pages, new Set(assets))).toEqual([]);
    expect([...pages].filter(([, text]) => findRepeatedIds(text).length > 0).map(([name]) => name)).toEqual([]);
    // The check finds what it is for.
    const broken = new Map([
      ["a/b.html", `<a href="../c.html">c</a> <a href="#d">d</a> <i id="e"></i> <i id="e"></i>`],
    ]);
    expect(findDeadLinks(broken, new Set())).toEqual(["a/b.html -> ../c.html", "a/b.html -> #d"]);
    expect(findRepeatedIds(broken.get("a/b.html") ?? "")).toEqual(["e"]);
  });

  it("are small: no page above 100 kB, and no script above 150 kB, as servers send them", async () => {
    const sizes = [...readPages(site)].map(([name, text]) => ({ name, bytes: compressedSize(text) }));
    expect(sizes.filter(({ bytes }) => bytes > 100_000)).toEqual([]);
    const scripts = ["site.js", "console.js", "minisearch.js", "search-index.js"].map((name) =>
      path.join(site, "assets", name),
    );
    const total = (await Promise.all(scripts.map(async (file) => compressedSize(await readFile(file, "utf8"))))).reduce(
      (sum, bytes) => sum + bytes,
      0,
    );
    expect(total).toBeLessThan(150_000);
  });

  it("state what no other page states", () => {
    const pages = readPages(site);
    expect(pages.get("states/InstanceStatus.html")).toMatch(/<svg class="diagram"[^]*watchdog/);
    expect(pages.get("limits.html")).toContain("At most 10 requests within 30 seconds per user.");
    expect(pages.get("access.html")).toContain("needs computes:read_write");
    expect(pages.get("operations/createInstance.html")).toMatch(/global grant <code>add_computes<\/code>/);
    expect([...pages.keys()].filter((name) => name.startsWith("coverage/")).length).toBeGreaterThan(30);
    expect(pages.get("coverage/section-12.html")).toMatch(/Tested by \d+ cases/);
  });
});

describe.skipIf(chromium === undefined)("the site in Chromium", () => {
  it("leads from the first page to an operation, its schema and its states", async () => {
    const { page, errors, requests } = await open("index.html");
    await followLink(page.locator("nav").getByRole("link", { name: "instances" }));
    await followLink(page.getByRole("main").getByRole("link", { name: "Create an instance" }));
    expect(await page.title()).toBe("Create an instance · Cloud Compute API");
    expect(await page.locator("nav [aria-current=page] .name").textContent()).toBe("Create an instance");
    await followLink(page.getByRole("main").getByRole("link", { name: "InstanceCreate", exact: true }));
    expect(await page.locator("h1").textContent()).toBe("InstanceCreate");
    await page.goBack();
    await followLink(page.getByRole("main").getByRole("link", { name: "InstanceStatus" }).first());
    expect(await page.locator("svg.diagram").count()).toBe(1);
    expect(errors).toEqual([]);
    expect(requests.filter((address) => !address.startsWith(server.url))).toEqual([]);
  });

  it("finds pages by words, parts of names, misspelt words and errors, with the keyboard alone", async () => {
    const { page, errors } = await open("coverage/index.html");
    const selected = page.locator(".results a[aria-selected=true] .found");
    const search = async (query: string): Promise<void> => page.locator("#search").fill(query);
    await page.keyboard.press("/");
    await page.keyboard.type("create inst");
    await expect.poll(() => selected.textContent()).toBe("Create an instance");
    await page.keyboard.press("Escape");
    expect(await page.locator(".results").isHidden()).toBe(true);
    await search("InstanceStatus");
    await expect.poll(() => selected.textContent()).toBe("InstanceStatus");
    await search("rate-limited");
    await expect.poll(() => selected.textContent()).toBe("rate-limited");
    await search("snapshto");
    await expect.poll(() => selected.textContent()).toMatch(/snapshot/i);
    await page.keyboard.press("ArrowDown");
    const second = await selected.textContent();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(?:operations|schemas)\//);
    expect(await page.locator("h1").textContent()).toBe(second);
    expect(errors).toEqual([]);
  });

  it("has links to single fields, which unfold what they lead into", async () => {
    const { page } = await open("operations/createInstance.html#response-429");
    expect(await page.locator("#response-429").getAttribute("open")).toBe("");
    await page.goto(`${server.url}operations/createInstance.html#body-label`);
    expect(await page.locator("#body-label").isVisible()).toBe(true);
    const top = await page.locator("#body-label").evaluate((element) => element.getBoundingClientRect().top);
    expect(top).toBeGreaterThanOrEqual(60); // below the head of the page
  });

  it("has samples in tabs, whose choice holds for other pages", async () => {
    const { page } = await open("operations/createInstance.html");
    expect(await page.locator(".sample:visible code").first().textContent()).toMatch(/^curl -X POST/);
    await page.getByRole("tab", { name: "curl" }).focus();
    await page.keyboard.press("ArrowLeft");
    expect(await page.locator(".sample:visible code").first().textContent()).toContain(
      'import { createClient, createInstance } from "@cloud-compute/client";',
    );
    await page.goto(`${server.url}operations/listInstances.html`);
    expect(await page.locator(".sample:visible code").first().textContent()).toContain("listInstances(client)");
  });

  it("works in a folder, without a server", async () => {
    const { page, errors, requests } = await open("index.html");
    await page.goto(pathToFileURL(path.join(site, "operations", "createInstance.html")).href);
    await page.locator("#search").fill("domain");
    await page.locator(".results a").first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/^file:.*omain/);
    expect(errors).toEqual([]);
    expect(requests.filter((address) => !/^(?:http:\/\/127\.0\.0\.1:|file:)/.test(address))).toEqual([]);
  });

  it("is complete without JavaScript", async () => {
    const { page } = await open("operations/createInstance.html", { javaScriptEnabled: false });
    expect(await page.locator(".sample:visible").count()).toBe(4);
    expect(await page.locator(".search").isHidden()).toBe(true);
    const phone = await open("index.html", { javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
    expect(await phone.page.locator("nav").isHidden()).toBe(true);
    await phone.page.getByRole("link", { name: "Menu", exact: true }).click();
    await followLink(phone.page.locator("nav").getByRole("link", { name: "Limits" }));
    expect(await phone.page.locator("h1").textContent()).toBe("Limits");
  });

  it("follows the colours of the system, and keeps a choice", async () => {
    const { page } = await open("index.html", { colorScheme: "dark" });
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await background();
    await page.locator(".theme").click();
    const light = await background();
    expect([dark, light]).toEqual(["rgb(17, 24, 29)", "rgb(255, 255, 255)"]);
    await page.goto(`${server.url}limits.html`);
    expect(await background()).toBe(light);
  });

  it("has a link to the contents as its first stop, and shows where the focus is", async () => {
    const { page } = await open("operations/createInstance.html");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main")?.id)).toBe("content");
    expect(await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)).toBe(
      "solid",
    );
  });

  it("shows the current operation in its menu, and the selected result, from where Tab goes on as before", async () => {
    const { page } = await open("operations/createInstance.html", { viewport: { width: 1440, height: 300 } });
    const isInView = (locator: string) =>
      page.locator(locator).evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return [...document.querySelectorAll(".menu, .results")]
          .filter((box) => box.contains(element))
          .map((box) => box.getBoundingClientRect())
          .every((box) => box.top <= top + 1 && bottom <= box.bottom + 1);
      });
    expect(await isInView(".menu .open ul [aria-current=page]")).toBe(true);
    await page.locator("#search").fill("instance");
    await page.locator(".results a").last().waitFor();
    await page.keyboard.press("ArrowUp");
    expect(await isInView(".results a[aria-selected=true]")).toBe(true);
    await page.keyboard.press("Shift+Tab");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("brand");
  });

  it("shifts nothing after its first paint, and scrolls in one direction", async () => {
    for (const width of [390, 1440]) {
      const { page } = await open("index.html", { viewport: { width, height: 900 } });
      for (const name of examined) {
        await page.goto(`${server.url}${name}`);
        const shift = await page.evaluate(
          () =>
            new Promise<number>((resolve) => {
              let sum = 0;
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
              }).observe({ type: "layout-shift", buffered: true });
              setTimeout(() => resolve(sum), 100);
            }),
        );
        expect({ name, width, shift: Math.round(shift * 100) / 100 }).toEqual({ name, width, shift: 0 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect({ name, width, isWider: overflow > 0 }).toEqual({ name, width, isWider: false });
      }
    }
  });

  it.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)("has no violation of accessibility rules, %s, %i pixels", async (colorScheme, width) => {
    const { page } = await open("index.html", { colorScheme, viewport: { width, height: 900 } });
    for (const name of examined) {
      await page.goto(`${server.url}${name}`);
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
      expect({ name, violations: await violationsOf(page) }).toEqual({ name, violations: [] });
    }
  });

  it("has its violations found", async () => {
    const { page } = await open("index.html");
    await page.evaluate(() => {
      document.body.style.setProperty("--soft", "#eeeeee");
      document.querySelector("#search")?.removeAttribute("id");
    });
    const found = await violationsOf(page);
    expect(found.map((each) => each.split(":")[0])).toEqual(expect.arrayContaining(["color-contrast"]));
  });

  it("prints without its frame", async () => {
    const { page } = await open("operations/createInstance.html");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".top").isHidden()).toBe(true);
    expect(await page.locator("nav").isHidden()).toBe(true);
    expect((await page.pdf()).length).toBeGreaterThan(20_000);
  });

  it("has pictures for a person to look at, in test/reports/site", async () => {
    const reports = path.join(repository, "test", "reports", "site");
    await mkdir(reports, { recursive: true });
    for (const [name, colorScheme, width] of [
      ["index.html", "light", 1440],
      ["operations/createInstance.html", "light", 1440],
      ["operations/createInstance.html", "dark", 1440],
      ["states/InstanceStatus.html", "light", 1440],
      ["access.html", "light", 1440],
      ["limits.html", "dark", 390],
    ] as const) {
      const { page } = await open(name, { colorScheme, viewport: { width, height: 1000 } });
      const file = `${name.replaceAll("/", "-").replace(".html", "")}-${colorScheme}-${width}.png`;
      expect((await page.screenshot({ path: path.join(reports, file) })).length).toBeGreaterThan(20_000);
    }
  });
});

/** A page of each kind. */
const examined = [
  "index.html",
  "operations/index.html",
  "operations/createInstance.html",
  "operations/updateInstance.html",
  "tags/instances.html",
  "schemas/index.html",
  "schemas/Instance.html",
  "states/index.html",
  "states/InstanceStatus.html",
  "access.html",
  "limits.html",
  "errors.html",
  "lists.html",
  "coverage/index.html",
  "coverage/section-12.html",
];
