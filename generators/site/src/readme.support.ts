import { testGenerator } from "@plumbline/codegen/testing";
import siteGenerator from "./index.js";

/** Returns the pages of a description, and what they load, by path. */
export async function generateSite(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(siteGenerator, { description, package: "@pets/site" });
}
