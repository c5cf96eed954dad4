import { describe, expect, it } from "vitest";
import { deleteNote, getNote, notes } from "../notes.support.js";
import { missingScopes, parseScopes } from "./scopes.js";
import { hiddenBecause, selectTools, type ToolSelection } from "./select-tools.js";

const namesOf = (selection: ToolSelection, scopes?: readonly string[]) =>
  selectTools(notes, selection, { hasToken: true, scopes }).map(({ name }) => name);

describe("the tools of a server", () => {
  it.each<[string, ToolSelection, readonly string[]]>([
    ["those that read", {}, ["getNote"]],
    ["those that write", { allow: ["write"] }, ["getNote", "createNote"]],
    ["those that delete", { allow: ["delete"] }, ["getNote", "createNote", "deleteNote"]],
    ["one that is allowed by name", { allow: ["deleteNote"] }, ["getNote", "deleteNote"]],
    ["those of a tag", { tools: ["notes"] }, ["getNote"]],
    ["those of a pattern", { tools: ["*Note"], allow: ["write"] }, ["getNote", "createNote"]],
    ["none of another pattern", { tools: ["Note", "n.tes"] }, []],
  ])("are %s", (_, selection, names) => {
    expect(namesOf(selection)).toEqual(names);
  });

  it("are those that the scopes of the token allow", () => {
    const allow = ["delete"];
    expect(namesOf({ allow }, ["notes:read"])).toEqual(["getNote"]);
    expect(namesOf({ allow }, ["notes:write"])).toEqual(["getNote", "createNote", "deleteNote"]);
    expect(namesOf({ allow }, ["admin"])).toEqual(["deleteNote"]);
    expect(namesOf({ allow }, ["*"])).toEqual(["getNote", "createNote", "deleteNote"]);
    expect(namesOf({ allow }, ["notes:toString", "others:write", "notes"])).toEqual([]);
  });

  it("are hidden for a reason that the user can act on", () => {
    const reason = (selection: ToolSelection, hasToken = true) =>
      hiddenBecause(deleteNote, { toolset: notes, selection, token: { hasToken, scopes: ["notes:read"] } });
    expect(reason({})).toContain("`--allow delete`");
    expect(reason({ allow: ["delete"], tools: ["getNote"] })).toContain("`--tools deleteNote`");
    expect(reason({ allow: ["delete"] })).toBe(
      "The token lacks the scope `notes:write`. Only the user can create another token.",
    );
    expect(reason({ allow: ["delete"] }, false)).toContain("the server has none");
  });
});

it("reads scopes as tokens and options have them", () => {
  expect(parseScopes("a:read, b:write c", notes.scopes)).toEqual(["a:read", "b:write", "c"]);
  expect(parseScopes("", notes.scopes)).toEqual([]);
  expect(missingScopes({ ...getNote, scopes: [["notes:read", "admin"]] }, ["notes:write"], notes.scopes)).toEqual([
    "admin",
  ]);
});
