import { describe, expect, test } from "vitest";
import { mediaTypeOf } from "./media-types.js";

describe("the media type of a response", () => {
  test.each([
    [undefined, ["application/json", "text/csv"], "application/json", "application/json"],
    [undefined, ["text/csv", "application/problem+json"], "application/problem+json", "application/problem+json"],
    [undefined, ["text/csv"], "text/csv", "text/csv"],
    [undefined, ["*/*"], "application/json", "*/*"],
    ["text/csv", ["application/json", "text/csv"], "text/csv", "text/csv"],
    ["Text/CSV; header=present", ["text/csv"], "Text/CSV; header=present", "text/csv"],
    ["image/png", ["image/*"], "image/png", "image/*"],
    ["image/png", ["*/*"], "image/png", "*/*"],
  ])("%s among %j is %s, by %s", (named, all, type, described) => {
    expect(mediaTypeOf(named, all)).toEqual({ type, described });
  });

  test.each([
    ["text/html", ["application/json", "text/csv"], "must be application/json or text/csv, not text/html"],
    ["nothing", ["image/*"], "must be image/*, not nothing"],
    [undefined, ["image/*"], "must have a `type`: image/*"],
    [undefined, ["text/csv", "image/png"], "must have a `type`: text/csv or image/png"],
  ])("%s among %j %s", (named, all, reason) => {
    expect(mediaTypeOf(named, all)).toBe(reason);
  });
});
