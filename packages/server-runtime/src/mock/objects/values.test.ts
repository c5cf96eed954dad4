import { expect, test } from "vitest";
import { completeNested, copyOf, withValueAt, withValues } from "./values.js";

test("values at dotted paths replace only these", () => {
  const values = { backups: { enabled: false, day: "Monday" } };
  expect(withValues(values, { "backups.enabled": true, label: "a", kept: undefined })).toEqual({
    backups: { enabled: true, day: "Monday" },
    label: "a",
  });
  expect(values.backups.enabled).toBe(false);
});

test("paths with names that every object has create own fields only", () => {
  const changed = withValueAt({}, ["__proto__", "polluted"], true);
  expect(Object.hasOwn(changed, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("objects inside get the required fields that a client left out", () => {
  const nested = [{ pointer: ["devices", "*"], initial: { disk_id: null, volume_id: null } }];
  expect(completeNested({ devices: { sda: { disk_id: 1 }, sdb: null } }, nested)).toEqual({
    devices: { sda: { disk_id: 1, volume_id: null }, sdb: null },
  });
  expect(completeNested({ devices: [{}] }, nested)).toEqual({ devices: [{ disk_id: null, volume_id: null }] });
});

test("a copy shares nothing with its source", () => {
  const source = { list: [{ a: 1 }] };
  const copy = copyOf(source);
  expect(copy).toEqual(source);
  expect(copy.list[0]).not.toBe(source.list[0]);
});
