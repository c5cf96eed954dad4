import path from "node:path";
import { buildApi, loadDescription } from "@plumbline/openapi";
import { withFixtureFolder } from "@plumbline/openapi/testing";
import type { Condition } from "@plumbline/model";

/** Reads a condition from YAML without its braces, as an operation states it. */
export async function readCondition(when: string): Promise<Condition> {
  const text = `openapi: 3.1.0
info: {title: Shop, version: 1.0.0}
paths:
  /things:
    post:
      operationId: createThing
      x-errors: [{id: wrong, status: 400, when: {${when}}}]
      responses: {'200': {description: It.}}
`;
  return withFixtureFolder(text, async (folder) => {
    const description = await loadDescription(path.join(folder, "openapi.yaml"));
    const api = buildApi(description, { names: {}, requirements: undefined });
    return api.operations[0]?.errors[0]?.when ?? {};
  });
}
