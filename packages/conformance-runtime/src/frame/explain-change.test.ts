import { describe, expect, it } from "vitest";
import type { FrameClaim, FrameRead, Json } from "../suite.js";
import { unexplainedChanges } from "./explain-change.js";
import { findChanges } from "./find-changes.js";
import { identifyObject, type ObservedObject, type Party, type Snapshot } from "./snapshot.js";

const boxes: FrameRead = {
  call: "listBoxes",
  resource: "Box",
  owner: "account",
  path: {},
  list: { items: [""], by: "id" },
};
const items: FrameRead = {
  ...boxes,
  call: "listItems",
  resource: "Item",
  path: { boxId: { resource: "Box", by: "id" } },
};

function box(id: number, value: Json, party: Party = "main"): ObservedObject {
  return {
    read: boxes,
    party,
    source: `${party} boxes`,
    address: "/boxes",
    kind: "Box",
    id: String(id),
    within: [],
    value,
  };
}

function item(id: number, boxId: number, value: Json): ObservedObject {
  const source = `items of ${boxId}`;
  return {
    ...box(id, value),
    read: items,
    source,
    address: `/boxes/${boxId}/items`,
    kind: "Item",
    within: [String(boxId)],
  };
}

function snapshot(...objects: readonly ObservedObject[]): Snapshot {
  return {
    objects: new Map(objects.map((each) => [identifyObject(each), each])),
    sources: new Set(["main boxes", "another account boxes", "items of 1", "items of 2"]),
  };
}

/** What of the changes no claim explains. */
function unexplained(
  before: Snapshot,
  after: Snapshot,
  may: readonly FrameClaim[],
  body: Json = null,
): readonly string[] {
  const now = (): number => Date.parse("2026-01-01T12:00:00Z");
  const values = { get: () => undefined, unique: () => "", now, matches: () => true };
  const since = Date.parse("2026-01-01T11:59:00Z");
  const call = { may, always: [], values, body, party: "main", since, matches: () => true } as const;
  return unexplainedChanges(findChanges(before, after), [call]).map(
    ({ does, object, at }) => `${does} ${object.kind} ${object.id}${at}`,
  );
}

describe("a change", () => {
  const before = snapshot(box(1, { label: "a", tags: ["x"], size: { w: 1, h: 2 } }), box(2, { label: "b" }));

  it("is explained where the request sends the field of the object", () => {
    const may: readonly FrameClaim[] = [{ to: "Box", does: "set", object: "1", sent: true }];
    const after = snapshot(box(1, { label: "c", tags: [], size: { w: 3, h: 4 } }), box(2, { label: "c" }));
    const body = { label: "c", size: { w: 3 } };
    expect(unexplained(before, after, may, body)).toEqual(["set Box 1/tags", "set Box 1/size/h", "set Box 2/label"]);
  });

  it("is explained where a claim names the field, or no field", () => {
    const after = snapshot(box(1, { label: "a", tags: [], size: { w: 9, h: 2 } }), box(2, { label: "b" }));
    expect(unexplained(before, after, [{ to: "Box", does: "set", fields: ["/size"] }])).toEqual(["set Box 1/tags"]);
    expect(unexplained(before, after, [{ to: "Box", does: "set" }])).toEqual([]);
  });

  it("of a list is explained where it loses the one item that a claim names", () => {
    const many = snapshot(box(1, { tags: ["x", "x-too", "y"] }), box(2, { tags: ["y"] }));
    const may: readonly FrameClaim[] = [{ to: "Box", does: "set", fields: ["/tags"], items: "x" }];
    const [kept, lost] = [["x-too", "y"], ["y"]];
    const others = box(2, { tags: ["y"] });
    expect(unexplained(many, snapshot(box(1, { tags: kept }), others), may)).toEqual([]);
    expect(unexplained(many, snapshot(box(1, { tags: lost }), others), may)).toEqual(["set Box 1/tags"]);
    expect(unexplained(many, snapshot(box(1, { tags: [...kept, "z"] }), others), may)).toEqual(["set Box 1/tags"]);
  });

  it("of another account is not explained by what the caller may do", () => {
    const [was, is] = ["a", "b"].map((label) => snapshot(box(7, { label }, "another account")));
    if (was === undefined || is === undefined) throw new Error("There are two readings.");
    expect(unexplained(was, is, [{ to: "*", does: "set" }])).toEqual(["set Box 7/label"]);
  });
});

describe("what time does", () => {
  it("is explained from the time that the object shows", () => {
    const may: readonly FrameClaim[] = [{ to: "Box", does: "delete", due: "/ends" }];
    const ending = (ends: string | null): Snapshot => snapshot(box(1, { ends }), box(2, {}));
    expect(unexplained(ending("2026-01-01T12:00:00Z"), snapshot(box(2, {})), may)).toEqual([]);
    expect(unexplained(ending("2026-01-01T12:00:01Z"), snapshot(box(2, {})), may)).toEqual(["delete Box 1"]);
    expect(unexplained(ending(null), snapshot(box(2, {})), may)).toEqual(["delete Box 1"]);
  });

  it("is explained where the object shows a time between the readings", () => {
    const may: readonly FrameClaim[] = [{ to: "Box", does: "set", fields: ["/kept", "/last"], timed: ["/last"] }];
    const kept = (last: string | null): Snapshot => snapshot(box(1, { kept: true, last }));
    const before = snapshot(box(1, { kept: false, last: null }));
    expect(unexplained(before, kept("2026-01-01T11:59:00Z"), may)).toEqual([]);
    expect(unexplained(before, kept("2026-01-01T11:50:00Z"), may)).toEqual(["set Box 1/kept", "set Box 1/last"]);
    expect(unexplained(before, kept(null), may)).toEqual(["set Box 1/kept"]);
  });
});

describe("an object that goes", () => {
  const before = snapshot(box(1, { id: 1 }), box(2, { id: 2 }), item(5, 1, { id: 5 }), item(6, 2, { id: 6 }));

  it("takes along what belongs to it", () => {
    const after = snapshot(box(2, { id: 2 }), item(6, 2, { id: 6 }));
    expect(unexplained(before, after, [{ to: "Box", does: "delete", object: "1" }])).toEqual([]);
  });

  it("is reported with what belongs to another", () => {
    const may: readonly FrameClaim[] = [{ to: "Item", does: "delete", of: "1" }];
    expect(unexplained(before, snapshot(box(1, { id: 1 })), may)).toEqual(["delete Box 2", "delete Item 6"]);
  });

  it("is explained by a claim about all resources but another one", () => {
    const after = snapshot(box(1, { id: 1 }), item(5, 1, { id: 5 }));
    const but = (each: string): readonly FrameClaim[] => [{ to: "*", but: each, does: "delete" }];
    expect(unexplained(before, after, but("Item"))).toEqual([]);
    expect(unexplained(before, after, but("Box"))).toEqual(["delete Box 2"]);
  });
});

it("explains a new object that another new one names", () => {
  const before = snapshot(box(1, { id: 1 }));
  const after = snapshot(box(1, { id: 1 }), box(2, { id: 2 }), item(5, 1, { id: 5, box: 2 }));
  expect(unexplained(before, after, [{ to: "Item", does: "create" }])).toEqual([]);
  expect(unexplained(before, snapshot(box(1, { id: 1 }), box(2, { id: 2 })), [{ to: "Item", does: "create" }])).toEqual(
    ["create Box 2"],
  );
});

it("compares only what both readings asked for", () => {
  const { sources } = snapshot();
  const before = {
    ...snapshot(item(5, 1, { id: 5 })),
    sources: new Set([...sources].filter((each) => each !== "items of 2")),
  };
  expect(findChanges(before, snapshot(item(5, 1, { id: 5 }), item(6, 2, { id: 6 })))).toEqual([]);
});
