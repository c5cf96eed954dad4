import type { Case, Step } from "@plumbline/conformance-runtime";
import { expect, it } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { rejectedRequestCases } from "./rejected-requests.js";

const description = `openapi: 3.1.0
info: {title: Boxes, version: 1.0.0}
paths:
  /boxes:
    get:
      operationId: listBoxes
      responses: {'200': {description: All., content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Box'}}}}}}
    post:
      operationId: createBox
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}
      responses: {'201': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
components:
  schemas:
    Box:
      type: object
      required: [id, label]
      x-resource: {owner: [account], list: listBoxes}
      properties:
        id: {type: integer, readOnly: true}
        label: {type: string}
        size: {type: integer}
`;

function caseOf(id: string, kind: Case["kind"], steps: readonly Step[]): Case {
  return {
    id: `boxes/createBox/${id}`,
    kind,
    operation: "createBox",
    title: "",
    requirements: [],
    requires: [],
    steps,
  };
}

it("takes one request of each kind of rejection, with valid fields beside an invalid one", async () => {
  const context = await contextFromText(description);
  const invalid = (label: number): Step => ({ call: "createBox", body: { label }, expect: { status: 400 } });
  const cases = [
    caseOf("label/number", "types", [invalid(1)]),
    caseOf("label/other-number", "types", [{ make: "Box", as: "box" }, invalid(2)]),
    caseOf("label/later", "types", [{ make: "Box", as: "box", fresh: true }, invalid(3)]),
    caseOf("scopes/none", "scopes", [{ call: "createBox", expect: { status: 401 } }]),
    caseOf("states/held", "states", [{ hold: true }, invalid(4)]),
    caseOf("accepts", "accepts", [{ call: "createBox" }]),
    caseOf("http/no-type", "http", [{ call: "createBox", expect: { status: 415 } }]),
  ];
  const [each] = rejectedRequestCases(context, cases);
  expect(each?.steps.at(-1)).toEqual({
    rejections: [
      { of: "boxes/createBox/label/other-number", step: 1, beside: { label: "text", size: 7207 } },
      { of: "boxes/createBox/scopes/none", step: 0 },
    ],
  });
});

it("has no case without a request, and none without stated resources", async () => {
  const context = await contextFromText(description);
  expect(rejectedRequestCases(context, [])).toEqual([]);
  const plain = await contextFromText(description.replace(/ {6}x-resource:.*\n/, ""));
  const cases = [caseOf("scopes/none", "scopes", [{ call: "createBox", expect: { status: 401 } }])];
  expect(rejectedRequestCases(plain, cases)).toEqual([]);
});
