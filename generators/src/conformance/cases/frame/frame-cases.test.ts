import type { Case } from "@plumbline/conformance-runtime";
import { describe, expect, it } from "vitest";
import { contextFromText } from "../../context/fixture-context.support.js";
import { frameCases, frameInfo } from "./frame-cases.js";

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
  /boxes/{boxId}:
    parameters: [{name: boxId, in: path, required: true, schema: {type: integer}, x-reference: {to: Box}}]
    get:
      operationId: getBox
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
    patch:
      operationId: updateBox
      x-effects: [{id: lid-opens, does: set, to: $request.path.boxId, values: {lid.open: true}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {label: {type: string}, size: {type: integer}}}}}}
      responses: {'200': {description: It., content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}}
    delete: {operationId: deleteBox, responses: {'204': {description: Deleted.}}}
components:
  schemas:
    Box:
      type: object
      required: [id, label]
      x-resource: {owner: [account], list: listBoxes, read: getBox, delete: deleteBox, modified: changed}
      properties:
        id: {type: integer, readOnly: true}
        label: {type: string}
        size: {type: integer}
        changed: {type: string, format: date-time, readOnly: true}
        twin: {type: [integer, 'null'], readOnly: true, x-reference: {to: Box, onDelete: set-null}}
`;

async function cases(text: string): Promise<readonly Case[]> {
  return frameCases(await contextFromText(text));
}

/** What the last step of a case may change, a line each. */
function claims(each: Case | undefined): readonly string[] {
  const step = each?.steps.at(-1);
  if (step === undefined || !("frame" in step)) return [];
  return step.may.map(({ does, to, but, object, sent, fields = [] }) =>
    [
      does,
      to,
      ...(but === undefined ? [] : [`but ${but}`]),
      ...(object === undefined ? [] : [JSON.stringify(object)]),
      ...(sent === true ? ["sent"] : []),
      ...fields,
    ].join(" "),
  );
}

describe("the cases of what must not change", () => {
  const box = '{"$get":"box#/id"}';

  it("are one for each operation, and one for each field of an update", async () => {
    expect((await cases(description)).map(({ id }) => id.split("/").slice(1).join("/"))).toEqual([
      "createBox/frame",
      "updateBox/frame/size",
      "updateBox/frame/label",
      "deleteBox/frame",
    ]);
  });

  it("allow what the request sends, effects, and the time of the change", async () => {
    const [creation, update] = await cases(description);
    expect(claims(creation)).toContain('create Box {"$get":"answer#/body/id"}');
    expect(claims(update)).toEqual([`set Box ${box} sent`, `set Box ${box} /lid/open`, `set Box ${box} /changed`]);
  });

  it("give what an update does not send another value than the case that sends it", async () => {
    const [, size, label] = await cases(description);
    const [bySize, byLabel] = [size, label].map((each) => each?.steps.at(-1));
    expect(bySize).toMatchObject({ fill: { label: "stored" }, frame: { body: { size: 3 } } });
    expect(byLabel).toMatchObject({ fill: { size: 7203 }, frame: { body: { label: "a" } } });
  });

  it("update a copy of the object that cases share, too, and fill another one alike", async () => {
    const step = (await cases(description))[1]?.steps.at(-1);
    expect(step).toMatchObject({
      around: [
        { make: "Box", as: "box2", copy: 2 },
        { make: "Box", as: "box3", copy: 3 },
      ],
      twin: { boxId: { $get: "box2#/id" } },
      beside: [{ frame: { call: "updateBox", path: { boxId: { $get: "box3#/id" } }, body: { size: 3 } } }],
    });
  });

  it("have a twin of the object of the case, and a second one that the operation is about, too", async () => {
    const step = (await cases(description)).at(-1)?.steps.at(-1);
    const twin = { label: { $get: "box#/label" }, size: { $get: "box#/size" } };
    expect(step).toMatchObject({
      around: [
        { make: "Box", as: "box-twin", fresh: true, also: twin },
        { make: "Box", as: "box-second", fresh: true },
      ],
      beside: [{ frame: { call: "deleteBox", path: { boxId: { $get: "box-second#/id" } } } }],
    });
  });

  it("allow a deletion, and references that it clears", async () => {
    expect(claims((await cases(description)).at(-1))).toEqual(
      expect.arrayContaining([`delete Box ${box}`, "set Box /twin"]),
    );
  });

  it("read each list once, and not again what it shows", async () => {
    const context = await contextFromText(description);
    const info = frameInfo(context, frameCases(context));
    expect(info?.reads.map(({ call }) => call)).toEqual(["listBoxes"]);
  });

  it("fill the object of the case with what only updates send", async () => {
    const created = description.replace(
      /(operationId: createBox\n[^\n]*)schema: \{\$ref: '#\/components\/schemas\/Box'\}\}\}\}\n/,
      "$1schema: {type: object, properties: {label: {type: string}}}}}}\n",
    );
    const step = (await cases(created)).at(-1)?.steps.at(-1);
    expect(step).toMatchObject({ around: [{ call: "updateBox", body: { size: 7203 }, setup: true }, {}, {}] });
  });

  it("explain a deletion only from the time that the object has for it", async () => {
    const timed = description.replace(
      "      properties:\n        id: {type: integer, readOnly: true}",
      `      x-state-machine: {states: [kept], initial: [{event: createBox, to: kept}], transitions: [{event: {at: ends}, from: [kept], to: $deleted}]}
      properties:
        ends: {type: string, format: date-time, readOnly: true}
        id: {type: integer, readOnly: true}`,
    );
    const context = await contextFromText(timed);
    expect(frameInfo(context, frameCases(context))?.always).toContainEqual({ to: "Box", does: "delete", due: "/ends" });
  });

  it("claim little without x-resource: other objects of the kind stay", async () => {
    const plain = description
      .replace(/ {6}x-resource:.*\n/, "")
      .replaceAll(/, x-reference: \{[^}]*\}/g, "")
      .replace(/ {6}x-effects:.*\n/, "");
    const all = await cases(plain);
    expect([...new Set(all.map(({ operation }) => operation))]).toEqual(["updateBox", "deleteBox"]);
    expect(claims(all[0])).toEqual(["set *", "create *", "delete * but /boxes/{boxId}"]);
    const withoutList = plain.replace(/ {4}get:\n {6}operationId: listBoxes\n.*\n/, "");
    expect(withoutList).not.toContain("listBoxes");
    expect(await cases(withoutList)).toEqual([]);
  });
});
