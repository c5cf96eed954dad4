import { testGenerator } from "@plumbline/kit/codegen/testing";
import conformanceGenerator from "./index.js";

/** Returns the files of the suite of a description, by path. */
export async function generateSuite(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(conformanceGenerator, { description, package: "@pets/conformance" });
}
