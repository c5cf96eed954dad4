import { testGenerator } from "@plumbline/kit/codegen/testing";
import mockGenerator from "./index.js";

/** Returns the files of the mock of a description, by path. */
export async function generateMock(description: string): Promise<Readonly<Record<string, string>>> {
  return testGenerator(mockGenerator, { description, package: "@pets/mock" });
}
