import mock from "@plumbline/generators/mock";
import server from "@plumbline/generators/server";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import siteGenerator from "./index.js";

/** Returns the pages of a description, and what they load, by path. Their consoles have a mock, which contains a server. */
export async function generateSite(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(siteGenerator, { description, package: "@pets/site", generators: { mock, server } });
}
