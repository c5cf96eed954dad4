import { describe, expect, it } from "vitest";
import { matchRenamedValues } from "./match-renamed-values.js";

describe("renamed values", () => {
  it.each([
    ["in_progress", "inProgress"],
    ["POWERED-OFF", "powered_off"],
    ["cancelled", "canceled"],
    ["minute", "minutes"],
    ["deleted", "soft_deleted"],
    ["disk_backup", "backup"],
  ])("%s may be %s", (old, next) => {
    expect([...matchRenamedValues({ removed: [old], added: [next, "another"] })]).toEqual([[old, next]]);
  });

  it.each([
    ["active", "inactive"],
    ["enabled", "disabled"],
    ["ready", "not_ready"],
    ["deleting", "deleted"],
    ["east", "west"],
    ["upload", "unload"],
    ["eu-west-1", "eu-west-2"],
    ["warm", "worm"],
    ["!", "?"],
    ["powered_off", "stopped"],
  ])("%s is another value than %s", (old, next) => {
    expect([...matchRenamedValues({ removed: [old], added: [next] })]).toEqual([]);
    expect([...matchRenamedValues({ removed: [next], added: [old] })]).toEqual([]);
  });

  it("are found only where one pair fits", () => {
    expect(matchRenamedValues({ removed: ["on_hold"], added: ["onHold", "on-hold"] }).size).toBe(0);
    expect(matchRenamedValues({ removed: ["onHold", "on-hold"], added: ["on_hold"] }).size).toBe(0);
    expect([...matchRenamedValues({ removed: ["a_b", "c_d"], added: ["cD", "aB"] })]).toEqual([
      ["a_b", "aB"],
      ["c_d", "cD"],
    ]);
  });
});
