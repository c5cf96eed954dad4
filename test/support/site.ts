import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import mockGenerator from "@plumbline/generators/mock";
import serverGenerator from "@plumbline/generators/server";
import type { GeneratorOptions } from "@plumbline/kit/codegen";
import { testOptions } from "@plumbline/kit/codegen/testing";
import type { Api } from "@plumbline/kit/model";
import siteGenerator from "@plumbline/site";

type SiteOptions = Parameters<typeof siteGenerator.files>[1];

/** Options of a site that differ from those of tests. */
export type SiteSettings = Partial<Pick<SiteOptions, "artifacts" | "config" | "input" | "generateFiles">>;

/** The options of a site where a test states none. */
export const siteDefaults: SiteOptions["config"] = {
  client: "@example/client",
  console: true,
  maxMockedOperations: 300,
  mockData: undefined,
  previous: undefined,
};

/** Writes the site of a model, in which consoles have a mock. */
export async function writeSite(folder: string, api: Api, settings: SiteSettings = {}): Promise<void> {
  const files = await siteGenerator.files(api, {
    ...testOptions("@example/site"),
    config: siteDefaults,
    input: { previous: undefined, mockData: {} },
    generateFiles: builtInFiles(api),
    ...settings,
  });
  for (const file of files) {
    if (!("text" in file)) continue;
    await mkdir(path.dirname(path.join(folder, file.path)), { recursive: true });
    await writeFile(path.join(folder, file.path), file.text);
  }
}

/** Generates the server and the mock of a model, as the command does for the site. */
export function builtInFiles(api: Api): GeneratorOptions["generateFiles"] {
  return async (kind, { package: name, config: values = {} }) => {
    const options = { ...testOptions(name), config: values };
    if (kind === "server") return serverGenerator.files(api, options);
    return mockGenerator.files(api, { ...options, config: { server: String(values["server"]) } });
  };
}
