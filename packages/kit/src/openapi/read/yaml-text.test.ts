import { describe, expect, it } from "vitest";
import { addYamlListItem } from "./yaml-text.js";

describe("a list of a YAML text with an item more", () => {
  it.each([
    ["nothing", "", "a:\n  - c\n"],
    ["comments only", "# ours", "# ours\na:\n  - c\n"],
    ["other keys", "b: 1 # one\n", "b: 1 # one\na:\n  - c\n"],
    ["a key without a value", "a: # none\nb: 1\n", "a:\n  - c # none\nb: 1\n"],
    ["an empty list", "a: []\n", "a: [c]\n"],
    ["a list on a line", "a: [ 'b' ] # all\n", "a: [ 'b', 'c' ] # all\n"],
    ["a list in lines", "a:\n- b # one\n\n# more\nd: 1\n", "a:\n- b # one\n- c\n\n# more\nd: 1\n"],
    ["a list to the end", 'a:\n    -   "b"', 'a:\n    -   "b"\n    -   "c"'],
    ["lines of Windows", "a:\r\n  - b\r\nd: 1\r\n", "a:\r\n  - b\r\n  - c\r\nd: 1\r\n"],
  ])("where there is %s", (_, text, made) => {
    expect(addYamlListItem(text, "a", "c")).toBe(made);
  });

  it.each([
    ["a text", "a: b\n"],
    ["a list at the top", "- a\n"],
    ["a mapping on a line without it", "{b: 1}\n"],
    ["an end of the document", "b: 1\n...\n"],
    ["no YAML", "a: [\n"],
    ["an alias for it", "b: &b [d]\na: *b\n"],
  ])("is none where there is %s", (_, text) => {
    expect(addYamlListItem(text, "a", "c")).toBeUndefined();
  });
});
